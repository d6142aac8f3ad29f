#!/bin/bash
# Fails when device code reaches for a runtime that it may not have.
#
# That is: heap, exceptions, RTTI, guards, locks, stdio, static constructors, writable variables,
# and any function outside a short list.
#
#   no_runtime.sh [--nm NM] [--objdump OBJDUMP] [--allow REGEX] FILE...
#
# FILE is an archive or an object. All files are judged together: what one uses and another defines
# is fine; what none defines must be mem*, a helper of the compiler, or match REGEX (whole name).
# Each finding is one line: FILE(MEMBER): KIND: symbol or section. A file that cannot be read, or that
# holds no symbols, is a finding too.
set -uo pipefail

nm=nm objdump=objdump allow='-'
while [ $# -gt 0 ]; do
  case $1 in
    --nm) nm=$2 && shift 2 ;;
    --objdump) objdump=$2 && shift 2 ;;
    --allow) allow=$2 && shift 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }

# kind, then the names (whole) that mean it. The first that fits names the finding.
forbidden() {
  cat <<'NAMES'
heap malloc|calloc|realloc|free|aligned_alloc|posix_memalign|memalign|strn?dup|_(malloc|free|calloc|realloc)_r|_?sbrk(_r)?|_Zn[wa].*|_Zd[la]Pv.*
guard __cxa_guard_.*|_ZGV.*
static-constructor _GLOBAL__(sub_)?[ID]_.*|_Z41__static_initialization_and_destruction_0.*|(__)?(cxa_|aeabi_)?(at_?exit|thread_atexit)
rtti __dynamic_cast|__cxa_bad_(cast|typeid)|_ZT[IS].*|_ZTVN10__cxxabiv1.*|_ZNKSt9type_info.*
exception __cxa_((allocate|free|begin|end|call|current|get|init|uncaught|bad)_.*|(re)?throw.*)|__gxx_personality_v0|_Unwind_.*|__aeabi_unwind_cpp_pr[0-9]|_ZSt9terminatev|_ZSt[0-9]+__throw_.*
lock pthread_.*|__gthread.*|_ZNSt5mutex.*|_ZNSt18condition_variable.*|__libc_single_threaded|mtx_.*|sem_.*
stdio _ZNSt8ios_base.*|_ZSt4(cout|cerr|clog)|_ZNSo.*|_ZNSt[78]basic_.*stream.*|_ZSt16__ostream_insert.*|(__)?v?(f|s|sn|d|as)?printf(_chk)?|f?puts|f?putc|putchar|fwrite|fopen|std(out|err|in)
NAMES
}
# Undefined names that are fine: mem*, and what compilers call for arithmetic their CPU lacks.
provided='mem(cpy|move|set|cmp)|__gnu_thumb1_case_[us][qhs]i|__aeabi_.*|__gnu_[a-z0-9]+_(ieee|alternative)|__aarch64_(cas|swp|ld|st)[a-z]*[0-9]+_[a-z_]+|__(u?div|u?mod|u?divmod|mul|ashl|ashr|lshr|clz|ctz|ffs|parity|popcount|bswap|neg|cmp|ucmp|abs|add|sub|eq|ne|lt|le|gt|ge|unord|float|floatun|fix|fixuns|extend|trunc)[shdtqx][ifc][shdtqx]?[ifc]?[0-9]?|_GLOBAL_OFFSET_TABLE_'

found=0
finding() {
  echo "no_runtime: $*"
  found=1
}

symbols=$(mktemp)
trap 'rm -f "$symbols"' EXIT

# One line a symbol: file(member) TAB type TAB name.
read_symbols() {
  local file=$1 out
  if ! out=$("$nm" -A -P "$file" 2>/dev/null) || [ -z "$out" ]; then
    finding "$file: unreadable: no symbols can be read from it"
    return
  fi
  sed -E 's/^(.*): ([^ ]+) ([A-Za-z?-]).*$/\1\t\3\t\2/; s/^([^\t]*)\[([^]\t]*)\]\t/\1(\2)\t/' \
    <<<"$out" >>"$symbols"
}

judge_names() {
  local kind names where name
  while read -r kind names; do
    while IFS=$'\t' read -r where _ name; do
      finding "$where: $kind: $name"
    done < <(awk -F'\t' -v names="^($names)\$" -v allow="^($allow)\$" \
      '$3 ~ names && $3 !~ allow' "$symbols" | sort -u)
  done < <(forbidden)
  while IFS=$'\t' read -r where _ name; do
    finding "$where: writable-variable: common symbol $name"
  done < <(awk -F'\t' '$2 == "C"' "$symbols")
}

judge_undefined() {
  local all where name
  all=$(forbidden | cut -d' ' -f2- | paste -sd'|')
  while IFS=$'\t' read -r where name; do
    finding "$where: library: $name is defined nowhere and is no helper of the compiler"
  done < <(awk -F'\t' -v fine="^($provided|$allow)\$" -v named="^($all)\$" '
    $2 ~ /[Uwv]/ { wanted[$1 "\t" $3] = $3; next }
    { defined[$3] = 1 }
    END {
      for (use in wanted) {
        name = wanted[use]
        if (!(name in defined) && name !~ fine && name !~ named) print use
      }
    }' "$symbols" | sort)
}

# Allocated sections that are not read-only and not empty. Constants that hold addresses are written
# by the loader of a position-independent program only, so .data.rel.ro is fine.
judge_sections() {
  local file=$1 out member kind section bytes
  out=$("$objdump" -h "$file" 2>/dev/null) || {
    finding "$file: unreadable: no sections can be read from it"
    return
  }
  while IFS=$'\t' read -r member kind section bytes; do
    # An object that is no archive names itself as its member.
    [ "$member" = "$file" ] && member="" || member="($member)"
    finding "$file$member: $kind: $section holds 0x$bytes bytes"
  done < <(awk '
    / +file format / { member = $1; sub(/:$/, "", member) }
    $1 ~ /^[0-9]+$/ { section = $2; bytes = $3; next }
    /ALLOC/ && !/READONLY/ && bytes !~ /^0+$/ && section !~ /^\.data\.rel\.ro/ {
      kind = section ~ /^\.(init_array|fini_array|ctors|dtors|preinit_array)/ \
             ? "static-constructor" : "writable-variable"
      sub(/^0+/, "", bytes)
      print member "\t" kind "\t" section "\t" bytes
    }' <<<"$out")
}

for file; do read_symbols "$file"; done
judge_names
judge_undefined
for file; do judge_sections "$file"; done
[ $found = 0 ] || exit 1
echo "no_runtime: ok: $*"

# SPDX-License-Identifier: Apache-2.0
