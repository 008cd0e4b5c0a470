// What must not leave the building, and what must stay readable.
#include "engine/report/redaction.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace cutopsy {
namespace {

struct Pair {
  std::string text, expected;
};

TEST(Redaction, MasksCredentials) {
  const std::string forty(40, 'a');
  const Pair pairs[] = {
      {"git clone https://bob:s3cret@host/x", "git clone https://<token>@host/x"},
      {"GITHUB ghp_" + forty, "GITHUB <token>"},
      {"hf_" + forty + " was refused", "<token> was refused"},
      {"glpat-abcdefghijklmnopqrst", "<token>"},
      {"key AKIAABCDEFGHIJKLMNOP used", "key <token> used"},
      {"sk-proj-abcdefghijklmnopqrstuvwx", "<token>"},
      {"Authorization: Bearer abc.def-ghijkl", "Authorization: Bearer <token>"},
      {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "<token>"},
      {"WANDB_API_KEY=" + forty, "WANDB_API_KEY=<token>"},
      {"{\"password\": \"hunter22\"}", "{\"password\": \"<token>\"}"},
      {"login --token abcdef123 now", "login --token <token> now"},
  };
  for (const Pair& pair : pairs) EXPECT_EQ(redacted(pair.text), pair.expected);
}

TEST(Redaction, MasksPeopleAndMachines) {
  const Pair pairs[] = {
      {"mail to jane.doe+x@mail.example.org.", "mail to <email>."},
      {"File \"/home/jane/train.py\", line 3", "File \"/home/<user>/train.py\", line 3"},
      {"red/home/jane/train.log:3", "red/home/<user>/train.log:3"},
      {"/data/logs.tar.gz/home/jane/a.log", "/data/logs.tar.gz/home/<user>/a.log"},
      {"in out/logs.zip/home/jane/a.log", "in out/logs.zip/home/<user>/a.log"},
      {"/Users/jane/x", "/Users/<user>/x"},
      {"C:\\Users\\jane\\x", "C:\\Users\\<user>\\x"},
      {"connect to 10.1.2.3:29500 failed", "connect to <address>:29500 failed"},
      {"[2001:db8::1]:29500", "[<address>]:29500"},
      {"fe80:0:0:0:1:2:3:4", "<address>"},
      {"mac 3c:ec:ef:01:02:03", "mac <address>"},
  };
  for (const Pair& pair : pairs) EXPECT_EQ(redacted(pair.text), pair.expected);
}

TEST(Redaction, LeavesAloneWhatADiagnosisNeeds) {
  const char* const texts[] = {
      "NVRM: Xid (PCI:0000:03:00): 79, pid=1234, GPU has fallen off the bus.",
      "at 2024-05-01 12:34:56.789 on port 29500",
      "cuDNN version: 8.9.7.29",
      "listen on 127.0.0.1 and 0.0.0.0",
      "driver 570.124.06, torch 2.1.0+cu118",
      "std::vector<int>::at and at::cuda::blas::gemm",
      "RuntimeError: expected token_type_ids to be given",
      "number 1.2.3.999 is no address",
      "/usr/lib/home/x and tokens: 512",
      "203-gloo-nccl-timeout-xid79/dmesg.txt",
  };
  for (const char* text : texts) EXPECT_EQ(redacted(text), text);
}

TEST(Redaction, DoesNothingTheSecondTime) {
  const std::string text = "bob@example.org at /home/bob from 10.0.0.1 with API_KEY=abcdefghij https://u:p@h/";
  EXPECT_EQ(redacted(redacted(text)), redacted(text));
}

TEST(Redaction, ReachesEveryTextOfAReportButItsIds) {
  Json document = {{"incidents", Json::array({{{"rule", "a/b@c.example"},
                                               {"fields", {{"path", "/home/jane/x"}, {"cudnn_version", "8.9.7.29"}}},
                                               {"evidence", Json::array({{{"text", "from 10.0.0.1"}}})},
                                               {"case_names", {"/home/jane/a.log"}}}})}};
  redact(document);
  const Json& incident = document["incidents"][0];
  EXPECT_EQ(incident["rule"], "a/b@c.example");
  EXPECT_EQ(incident["fields"]["path"], "/home/<user>/x");
  EXPECT_EQ(incident["fields"]["cudnn_version"], "8.9.7.29");
  EXPECT_EQ(incident["evidence"][0]["text"], "from <address>");
  EXPECT_EQ(incident["case_names"][0], "/home/<user>/a.log");
}

}  // namespace
}  // namespace cutopsy
