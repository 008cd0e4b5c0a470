#!/usr/bin/env bash
# Everything that only a real GPU can show, in one go of at most 350 seconds. Its files are the evidence for what is
# claimed of hardware.
#
#   tests/device/run.sh [--simulated] [--gpu GPU] [--out FOLDER] [--saboteur FOLDER] [--only STEP,STEP] [BINARY]
#
# BINARY is cutopsy (default: build/release/cutopsy of this tree, which is built when it is not there; a portable one
# comes of `cmake --preset portable`). Every step leaves its files in FOLDER ($OUT, else a new one in /tmp) and a row in
# its summary.tsv: step, ok, failed or partly (something could not be asked), seconds, what was seen. Exit status: 1 if
# a step failed, else 0.
#
# --gpu tests this one alone (default 0). --saboteur is the folder of the library that spoils driver calls (default:
# saboteur/ beside BINARY, where there is one): with it in front of the driver a check must convict. --only runs these
# steps again, with the files that the others left in FOLDER. --simulated is for the libraries of tests/fake_gpu: short
# budgets, no compute-sanitizer, no figures of bandwidth.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$(dirname "$here")")

limit=350 # seconds for all steps
simulated=
gpu=0
out=${OUT:-}
binary=
saboteur=
only=

say() { printf '%s\n' "$*" >&2; }
die() {
    say "run.sh: $*"
    exit 2
}

while [ $# -gt 0 ]; do
    case "$1" in
        --simulated) simulated=yes ;;
        --gpu | --out | --saboteur | --only)
            [ $# -gt 1 ] || die "$1 needs a value"
            declare "${1#--}=$2"
            shift
            ;;
        --help | -h)
            sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
            exit 0
            ;;
        -*) die "unknown option $1; see --help" ;;
        *) binary=$1 ;;
    esac
    shift
done

if [ -z "$binary" ]; then
    binary=$root/build/release/cutopsy
    if [ ! -x "$binary" ]; then
        say "building $binary (not counted in the $limit s)"
        (cd "$root" && cmake --preset release && cmake --build --preset release --target cutopsy) >&2
    fi
fi
[ -x "$binary" ] || die "$binary: no such program; name cutopsy"
binary=$(realpath "$binary")
[ -n "$saboteur" ] || saboteur=$(dirname "$binary")/saboteur
[ -n "$out" ] || out=$(mktemp -d /tmp/cutopsy-device-XXXXXX)
mkdir -p "$out"
summary=$out/summary.tsv
printf 'step\tresult\tseconds\tseen\n' >"$summary"

SECONDS=0
failures=0

is_wanted() {
    case ",$only," in
        ,, | *",$1,"*) ;;
        *) return 1 ;;
    esac
}

# row STEP RESULT SECONDS SEEN
row() {
    is_wanted "$1" || return 0
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" >>"$summary"
    say "$(printf '%-18s %-7s %4s s  %s' "$1" "$2" "$3" "$4")"
    if [ "$2" = failed ]; then failures=$((failures + 1)); fi
}

# bounded SECONDS COMMAND...: runs it within its time and that of all steps; 124 when that is up.
bounded() {
    local left=$((limit - SECONDS))
    [ "$left" -gt 0 ] || return 124
    local most=$1
    shift
    timeout -k 5 "$((most < left ? most : left))" "$@"
}

# step NAME SECONDS JUDGE COMMAND...: standard output to NAME.json, messages to NAME.err. JUDGE is called with the exit
# status and the file, and prints the result and what was seen, with a tab between.
step() {
    local name=$1 most=$2 judge=$3 start=$SECONDS status=0
    shift 3
    is_wanted "$name" || return 0
    bounded "$most" "$@" >"$out/$name.json" 2>"$out/$name.err" || status=$?
    local verdict
    if [ "$status" = 124 ] || [ "$status" = 137 ]; then
        verdict=$(printf 'failed\tno end in its time of %s s' "$most")
    else
        verdict=$("$judge" "$status" "$out/$name.json")
    fi
    row "$name" "${verdict%%$'\t'*}" "$((SECONDS - start))" "${verdict#*$'\t'}"
}

# How many answers of a report are of a kind: answered FILE yes|no|unknown.
answered() { grep -c "\"answer\": \"$2\"" "$1" || true; }

# The checks of a report whose answer (yes, no, unknown) or doubt (could-not-run) is this, by name, each once.
names_of() {
    awk -v wanted=": \"$2\"" '
        /"check": / { split($0, field, "\""); name = field[4] }
        /"(answer|doubt)": / && index($0, wanted) && !seen[name]++ { printf "%s%s", gap, name; gap = " " }' "$1"
}

# A report of checks: no fault may be found on a machine that is sound.
judge_checks() {
    local status=$1 report=$2 counts
    counts="$(answered "$report" no) no, $(answered "$report" unknown) unknown"
    case "$status" in
        0) printf 'ok\t%s' "$counts" ;;
        1) printf 'failed\tfaults: %s; %s' "$(names_of "$report" yes)" "$counts" ;;
        2) printf 'partly\t%s; could not be asked: %s' "$counts" "$(names_of "$report" could-not-run)" ;;
        *) printf 'failed\tended with status %s' "$status" ;;
    esac
}

# The same where every question has to be answered by no.
judge_all_no() {
    local status=$1 report=$2
    if [ "$status" = 0 ] && [ "$(answered "$report" no)" -gt 0 ] && [ "$(answered "$report" unknown)" = 0 ]; then
        printf 'ok\t%s' "$(names_of "$report" no)"
    else
        printf 'failed\tstatus %s; yes: %s; unknown: %s' "$status" "$(names_of "$report" yes)" \
            "$(names_of "$report" unknown)"
    fi
}

judge_list() {
    local count
    count=$(grep -c '"question"' "$2" || true)
    if [ "$1" = 0 ] && [ "$count" -gt 70 ]; then
        printf 'ok\t%s checks' "$count"
    else
        printf 'failed\tstatus %s; %s checks' "$1" "$count"
    fi
}

# Faults that came back right; an Xid that is missing from a log is a doubt.
judge_self_test() {
    local status=$1 report=$2
    if [ "$status" = 0 ] && [ "$(answered "$report" yes)" = 0 ] && [ "$(answered "$report" no)" -gt 0 ]; then
        if [ "$(answered "$report" unknown)" = 0 ]; then
            printf 'ok\t%s' "$(names_of "$report" no)"
        else
            printf 'partly\tin doubt: %s' "$(names_of "$report" unknown)"
        fi
    else
        printf 'failed\tstatus %s; yes: %s; unknown: %s' "$status" "$(names_of "$report" yes)" \
            "$(names_of "$report" unknown)"
    fi
}

# One bit of memory was spoilt: exactly that has to be found.
judge_sabotaged() {
    if [ "$1" = 1 ] && grep -q '"first_mask": "0x1"' "$2"; then
        printf 'ok\tthe spoilt bit was found'
    else
        printf 'failed\tstatus %s; yes: %s; unknown: %s' "$1" "$(names_of "$2" yes)" "$(names_of "$2" unknown)"
    fi
}

# Where the program finds its driver.
driver_library() {
    local folder
    local IFS=:
    for folder in ${LD_LIBRARY_PATH:-}; do
        if [ -e "$folder/libcuda.so.1" ]; then
            printf '%s' "$folder/libcuda.so.1"
            return
        fi
    done
    ldconfig -p | awk '/libcuda\.so\.1 / && /x86-64|aarch64|AArch64/ { print $NF; exit }'
}

# The diagnosis of the faults that were really made, tested on this machine: each by its own rule.
judge_confirm() {
    local rule missing=
    for rule in assert/device-assert-unspecified cuda/illegal-memory-access cuda/misaligned-address \
        cuda/launch-failure; do
        grep -q "\"$rule\"" "$2" || missing+=" $rule"
    done
    if [ -n "$missing" ]; then
        printf 'failed\tstatus %s; not diagnosed:%s' "$1" "$missing"
    elif ! grep -q '"check": "context-smoke"' "$2"; then
        printf 'failed\tstatus %s; the GPU was not asked' "$1"
    elif [ "$1" = 1 ] && ! grep -q '"verdict": "confirmed"' "$2"; then
        printf 'ok\tevery fault by its rule; none is called a fault of the GPU'
    else
        printf 'failed\tstatus %s; a hypothesis was confirmed on a GPU that the checks find sound' "$1"
    fi
}

# compute-sanitizer must see the one fault that is made, and none where none is.
judge_memcheck() {
    local errors
    errors=$(grep -hos 'ERROR SUMMARY: [0-9]*' "$out"/memcheck*.log | awk '{ sum += $3 } END { print NR ? sum : "no" }')
    if [ "$errors" = 0 ]; then printf 'ok\tno error'; else printf 'failed\t%s errors summed up' "$errors"; fi
}
judge_memcheck_control() {
    if grep -q 'Invalid __global__ write' "$out"/control*.log 2>/dev/null; then
        printf 'ok\tthe fault that was made was seen'
    else
        printf 'failed\tthe fault that was made was not seen: nothing else proves anything'
    fi
}

check=("$binary" check --format json --gpu "$gpu")
if [ -n "$simulated" ]; then
    standard_budget=2s thorough_budget=2s sabotage_budget=4s
else
    standard_budget=45s thorough_budget=60s sabotage_budget=20s
fi

smi() { if command -v nvidia-smi >/dev/null; then bounded 15 nvidia-smi "$@" 2>&1 || true; fi; }
settings() {
    smi --format=csv \
        --query-gpu=uuid,driver_version,vbios_version,ecc.mode.current,persistence_mode,compute_mode,power.limit
}

smi -q -x >"$out/nvidia-smi-before.xml"
settings >"$out/settings-before.csv"

step list 10 judge_list "$binary" check --list --format json
step context 30 judge_all_no "${check[@]}" context-smoke launch-limits
step quick 40 judge_checks "${check[@]}" --level quick
step standard 80 judge_checks "${check[@]}" --level standard --budget "$standard_budget"
step thorough 110 judge_checks "${check[@]}" --level thorough --budget "$thorough_budget"

# Planted errors that come back are what makes a clean pass worth something.
if grep -qs 'every planted error came back' "$out"/standard.json "$out"/thorough.json; then
    row controls ok 0 'every planted error came back'
elif [ -n "$simulated" ]; then
    row controls partly 0 'no pass was complete in this time'
else
    row controls failed 0 'no complete pass with its planted errors'
fi
if [ -z "$simulated" ]; then
    figures=$(grep -hsE '"[a-z_]*(bandwidth|per_second)[a-z_]*": ' "$out"/standard.json "$out"/thorough.json | sort -u |
        tr -s ' "\n' ' ' || true)
    row bandwidth ok 0 "${figures:-no check reports a figure}"
fi

driver=$(driver_library)
if [ -e "$saboteur/libcuda.so.1" ] && [ -n "$driver" ]; then
    step saboteur 40 judge_sabotaged env "LD_LIBRARY_PATH=$saboteur:$(dirname "$driver"):${LD_LIBRARY_PATH:-}" \
        "CUTOPSY_SABOTEUR_DRIVER=$driver" 'CUTOPSY_SABOTAGE=flip cutopsy_pattern_verify 1 largest 0x1000 0x1' \
        "${check[@]}" --level quick --budget "$sabotage_budget" memory-pattern
else
    row saboteur partly 0 "no libcuda.so.1 in $saboteur"
fi

step self-test 75 judge_self_test "${check[@]}" --self-test

# As logs of jobs: what each fault left on the screen, and one more whose hypothesis the GPU can be asked about.
mkdir -p "$out/faults"
awk -v folder="$out/faults" '/"detail": / { print > (folder "/fault-" ++n ".log") }' "$out/self-test.json" || true
printf 'RuntimeError: CUDA error: unspecified launch failure\n' >"$out/faults/launch.log"
step confirm 60 judge_confirm "$binary" --confirm --this-machine --gpu "$gpu" --separate --format json "$out/faults"

step ptx 30 judge_all_no env CUDA_FORCE_PTX_JIT=1 "${check[@]}" context-smoke

sanitizer=$(command -v compute-sanitizer || true)
usual=/usr/local/cuda/bin/compute-sanitizer
if [ -z "$sanitizer" ] && [ -x "$usual" ]; then sanitizer=$usual; fi
if [ -z "$simulated" ] && [ -n "$sanitizer" ]; then
    watch=("$sanitizer" --target-processes all --tool memcheck)
    step memcheck 40 judge_memcheck "${watch[@]}" --log-file "$out/memcheck-%p.log" "${check[@]}" context-smoke
    step memcheck-control 40 judge_memcheck_control "${watch[@]}" --log-file "$out/control-%p.log" \
        "${check[@]}" --self-test fault-unmapped-store
fi

smi -q -x >"$out/nvidia-smi-after.xml"
settings >"$out/settings-after.csv"
if [ ! -s "$out/settings-before.csv" ]; then
    row settings partly 0 'no nvidia-smi to tell them'
elif cmp -s "$out/settings-before.csv" "$out/settings-after.csv"; then
    row settings ok 0 'as before'
else
    row settings failed 0 "changed: diff $out/settings-before.csv $out/settings-after.csv"
fi

say "$SECONDS s, $failures failed; files in $out"
[ "$failures" = 0 ]
