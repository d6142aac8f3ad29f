// The English of each status code: linked only by who asks for it.
#include "core/status.h"

namespace arenite {

const char* text_of(Code code) {
  switch (code) {
    case Code::kOk:
      return "no error";
    case Code::kTruncated:
      return "the file ends before what it announces";
    case Code::kBadMagic:
      return "it does not start like an Arenite program";
    case Code::kBadVersion:
      return "this runtime does not read its format";
    case Code::kUnknownFeature:
      return "it needs a feature that this runtime does not have";
    case Code::kWrongConstants:
      return "the file of constants is not the one that the program was made with";
    case Code::kBadSignature:
      return "the signature is missing, or not one of this program";
    case Code::kBadChecksum:
      return "a checksum does not match its bytes";
    case Code::kBadPlan:
      return "the plan is not a valid message";
    case Code::kBadTable:
      return "a table is misaligned or holds no whole number of records";
    case Code::kBadIndex:
      return "an index points outside its table";
    case Code::kBadRange:
      return "an offset and size leave their storage";
    case Code::kBadAlignment:
      return "an offset or address is not aligned as needed";
    case Code::kBadValue:
      return "a value's type, dims, layout, place or lifetime make no sense";
    case Code::kBadStep:
      return "a step's operands, order or target make no sense";
    case Code::kOverlap:
      return "two values that live at the same time share bytes";
    case Code::kNoSuchMethod:
      return "there is no such method";
    case Code::kNoUsableVariant:
      return "this machine meets the requirements of no variant";
    case Code::kWrongInterface:
      return "the program's inputs and outputs are not those that the header was written for";
    case Code::kArenaTooSmall:
      return "the memory given is smaller than the arena";
    case Code::kArenaMissing:
      return "no memory was given for the arena";
    case Code::kNoForm:
      return "no form of the operator that is here runs the step as it was planned";
    case Code::kBadOperandCount:
      return "the operator does not take this number of operands";
    case Code::kBadType:
      return "the operator does not take an operand's element type";
    case Code::kBadShape:
      return "the operator does not take these shapes together";
    case Code::kBadAttribute:
      return "an attribute of the operator is out of range";
    case Code::kBadLayout:
      return "an operand's layout is not one that the operator takes";
    case Code::kBadScratch:
      return "the step's scratch memory is missing or too small";
    case Code::kIndexOutOfRange:
      return "an index read from a tensor lies outside its axis";
    case Code::kDeviceLost:
      return "the device was lost";
    case Code::kDeviceError:
      return "the driver reported an error";
    case Code::kDeviceMemory:
      return "the device has too little memory";
    case Code::kNotLoaded:
      return "nothing is loaded";
    case Code::kUnsupported:
      return "this is not supported here";
    case Code::kSymbolOutOfRange:
      return "a symbol's number is less or more than it may be";
    case Code::kBadExpression:
      return "an expression has no result, or not the one that is stored";
    case Code::kCancelled:
      return "a call inside the run ended it";
  }
  return "unknown error";
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
