// What the world does to a run, and what the run then says: each row is an injected fault with its outcome. README and
// SECURITY.md show the table to users.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kBadLog =
    "Traceback (most recent call last):\n"
    "  File \"train.py\", line 3, in <module>\n"
    "AssertionError: Torch not compiled with CUDA enabled\n";
constexpr const char* kFound = "pytorch/cpu-only-build";

struct Fault {
  const char* name;
  const char* script;  ///< of sh, in a folder that holds bad.log; $C is the program
  int status;
  std::vector<const char*> out;  ///< texts that stand there
  std::vector<const char*> err;
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << fault.name;
}

Outcome inject(const Fault& fault) {
  const TemporaryFolder folder;
  folder.write("bad.log", kBadLog);
  folder.write("script", fault.script);
  const int status = shell("cd " + folder.path("") + " && C=" CUTOPSY_BINARY " sh ./script >out 2>err </dev/null");
  Outcome outcome{status, folder.read("out"), folder.read("err")};
  shell("chmod -R u+rwx " + folder.path(""));
  return outcome;
}

class FaultTable : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultTable, HasItsOutcome) {
  const Outcome outcome = inject(GetParam());
  EXPECT_EQ(outcome.status, GetParam().status) << outcome.out << outcome.err;
  for (const char* text : GetParam().out) EXPECT_THAT(outcome.out, HasSubstr(text));
  for (const char* text : GetParam().err) EXPECT_THAT(outcome.err, HasSubstr(text));
  for (const std::string& text : {outcome.out, outcome.err}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("internal error")));
  }
}

std::string name_of(const ::testing::TestParamInfo<Fault>& info) {
  return info.param.name;
}

// Root may read everything; without these capabilities it is like others.
#define WITHOUT_POWERS                                                                                \
  "user() { if [ $(id -u) = 0 ]; then setpriv --bounding-set=-dac_override,-dac_read_search \"$@\"; " \
  "else \"$@\"; fi; }; "

INSTANTIATE_TEST_SUITE_P(
    Writing, FaultTable,
    ::testing::Values(
        Fault{"FullDiskForTheReport", "$C bad.log >/dev/full", 2, {}, {"could not be written", "disk full"}},
        Fault{"FullDiskForMessages", "$C bad.log no-such-file 2>/dev/full", 2, {kFound}, {}},
        Fault{"FullDeviceForAnOutput",
              "$C --output json=/dev/full bad.log",
              2,
              {kFound},
              {"/dev/full: No space left", "nothing was written there"}},
        Fault{"LimitOfFileSizeKeepsTheOlderFile",
              "echo older >o.json; (ulimit -f 0; $C --output json=o.json bad.log 2>&1 >/dev/null; echo status $?) | "
              "cat >&2; "
              "cat o.json; ls *.part; exit 0",
              0,
              {"older"},
              {"o.json: File too large", "status 2", "cannot access"}},
        Fault{"OutputFolderIsMissing", "$C --output json=no/o.json bad.log", 2, {kFound}, {"no/o.json: No such file"}},
        Fault{"OutputFolderCannotBeWritten",
              WITHOUT_POWERS "mkdir d; chmod 555 d; user $C --output json=d/o.json bad.log; s=$?; ls -a d; exit $s",
              2,
              {kFound},
              {"d/o.json: Permission denied"}},
        Fault{"ReaderOfTheReportIsGone",
              "{ sleep 0.2; $C bad.log; echo status $? >&2; } | true; cat err; exit 0",
              0,
              {"status 141\n"},
              {}},
        Fault{"StandardOutputIsClosed", "$C bad.log >&-", 2, {}, {"could not be written"}},
        Fault{"StandardErrorIsClosed", "$C bad.log no-such-file 2>&-", 2, {kFound}, {}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Reading, FaultTable,
    ::testing::Values(
        Fault{"FileIsMissing", "$C no.log bad.log", 2, {kFound}, {"no.log: No such file"}},
        Fault{"FileIsRemovedBeforeItsTurn",
              "mkfifo f; cp bad.log x.log; { while [ -e x.log ]; do sleep 0.01; done; echo step >f; } & "
              "{ sleep 0.2; rm x.log; } & $C --jobs 1 --separate f bad.log x.log",
              2,
              {kFound},
              {"x.log: No such file"}},
        Fault{"FileCannotBeRead",
              WITHOUT_POWERS "cp bad.log x.log; chmod 000 x.log; user $C x.log bad.log",
              2,
              {kFound},
              {"x.log: Permission denied; make it readable"}},
        Fault{"FolderCannotBeRead",
              WITHOUT_POWERS "mkdir -p d/x; cp bad.log d; chmod 000 d/x; user $C d",
              2,
              {kFound},
              {"d/x: Permission denied; make it readable"}},
        Fault{
            "ReadingFails", "$C /proc/self/mem bad.log", 2, {kFound}, {"/proc/self/mem: reading failed: Input/output"}},
        Fault{"NothingCouldBeRead", "$C /proc/self/mem", 2, {"not all could be read"}, {"reading failed"}},
        Fault{"FolderStandsForAFile", "mkdir d; $C merge d", 2, {}, {"d: is a folder"}},
        Fault{"FifoIsNamed", "mkfifo f; cat bad.log >f & $C f", 1, {kFound}, {}},
        Fault{"FifoInAFolder", "mkdir d; mkfifo d/f; cp bad.log d; $C d", 1, {kFound}, {"1 no regular file"}},
        Fault{"LinksInACircle",
              "mkdir d; cp bad.log d; ln -s . d/a; ln -s c d/b; ln -s b d/c; $C d",
              1,
              {kFound},
              {"1 link to a folder", "2 no regular file"}},
        Fault{"NulBytesInALog",
              "{ printf 'a\\0b\\0\\n'; cat bad.log; printf '\\0\\0'; } >x.log; $C x.log",
              1,
              {kFound},
              {}},
        Fault{
            "ClocksJump",
            "{ echo '2099-01-01T00:00:00Z a'; cat bad.log; echo '1970-01-01T00:00:01Z b'; echo '[99999999999999.9] c'; "
            "echo '0000-00-00 99:99:99 d'; } >x.log; $C x.log",
            1,
            {kFound},
            {}},
        Fault{"NamesHoldEscapes",
              "n=$(printf 'x\\n\\033[31mred.log'); cp bad.log \"$n\"; $C \"$n\" \"no$n\" --output \"json=no/$n\"",
              2,
              {kFound},
              {"red.log: No such file"}},
        Fault{"FoldersStandDeep",
              "p=d; i=0; while [ $i -lt 300 ]; do p=$p/d; i=$((i+1)); done; mkdir -p $p; cp bad.log $p; $C d",
              1,
              {kFound},
              {}},
        Fault{"FewFilesMayBeOpen",
              "mkdir d; i=0; while [ $i -lt 1000 ]; do echo step >d/$i.log; i=$((i+1)); done; cp bad.log d; ulimit -n "
              "16; "
              "$C --jobs 4 d",
              1,
              {kFound, "1 of 1,001 cases"},
              {}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Ending, FaultTable,
    ::testing::Values(
        Fault{"SigtermWhileFilesAreRead",
              "mkfifo f; { cat bad.log; exec sleep 30; } >f & w=$!; "
              "$C --live --separate bad.log f never.log 2>live & p=$!; "
              "until grep -q cpu-only live; do sleep 0.02; done; sleep 0.1; kill -TERM $p; wait $p; s=$?; kill $w; "
              "cat live >&2; exit $s",
              128 + 15,
              {kFound},
              {"f: was not read to its end: SIGTERM came", "never.log: No such file"}},
        Fault{"SigintWhileFilesAreRead",
              "mkfifo f; { cat bad.log; exec sleep 30; } >f & w=$!; "
              "env --default-signal=INT $C --live --separate bad.log f 2>live & p=$!; "
              "until grep -q cpu-only live; do sleep 0.02; done; sleep 0.1; kill -INT $p; wait $p; s=$?; kill $w; "
              "cat live >&2; exit $s",
              128 + 2,
              {kFound},
              {"f: was not read to its end: SIGINT came"}},
        Fault{"SigtermEndsAPipe",
              "mkfifo f; { cat bad.log; exec sleep 30; } >f & w=$!; $C --live <f 2>live & p=$!; "
              "until grep -q cpu-only live; do sleep 0.02; done; kill -TERM $p; wait $p; s=$?; kill $w; exit $s",
              1,
              {kFound},
              {}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Rules, FaultTable,
    ::testing::Values(
        Fault{"OneOfTheRuleFilesIsBad",
              "mkdir r; echo '- id: mine/bad' >r/bad.yaml; $C --rules r bad.log",
              2,
              {},
              {"r/bad.yaml:1:3: ", "add title:"}},
        Fault{
            "RuleFileCannotBeRead", "$C --rules /proc/self/mem bad.log", 2, {}, {"/proc/self/mem:1:1: cannot be read"}},
        Fault{"PatternNeedsTooMuchMemory",
              "cat >r.yaml <<'X'\n- id: mine/big\n  title: t\n  severity: error\n"
              "  match: { line: 'aaaaaa.{0,1000}b.{0,1000}c.{0,1000}d' }\n  cause: c\nX\n"
              "$C --rules r.yaml bad.log",
              2,
              {},
              {"r.yaml:4:18: line: compiles to 9013 steps", "make it shorter"}}),
    name_of);

// The sanitizers reserve more memory than any such limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
INSTANTIATE_TEST_SUITE_P(
    Memory, FaultTable,
    ::testing::Values(Fault{
        "LittleMemory",
        "mkdir d; i=0; while [ $i -lt 300 ]; do cp bad.log d/$i.log; i=$((i+1)); done; mb=26; "
        "while [ $mb -lt 400 ]; do (ulimit -v $((mb*1024)); exec $C --jobs 4 d >/dev/null); s=$?; "
        "case $s in 1) exit 0;; 2|127) ;; *) echo $s at $mb MB; exit 9;; esac; mb=$((mb+2)); done; exit 8",
        0,
        {},
        {"out of memory, nothing is reported; give it more"}}),
    name_of);
#endif

}  // namespace
}  // namespace cutopsy
