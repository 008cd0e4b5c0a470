// Facts of a job from lines that report no fault: what the tables of phrases in *_facts.cc and the table readers
// (installed_packages, smi_*, sacct_table) share.
#pragma once

#include "parsers/event.h"
#include "parsers/line.h"
#include "parsers/phrase.h"

namespace cutopsy {

/// Emits a fact for each field of `found` whose name is in fact_names(), in their common form: cuDNN's and the
/// driver's CUDA versions with dots, canonical PCI addresses, twins in bytes. The fields `host`, `rank` and `gpu` say
/// whose facts they are, where the line itself names that.
void report_facts(Fields found, const Envelope& envelope, Place where, EventSink& sink);

/// Emits the facts of every phrase of `phrases` that `line` holds.
void report_phrases(const PhraseBook& phrases, const Line& line, EventSink& sink);

}  // namespace cutopsy
