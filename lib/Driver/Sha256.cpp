//===- Sha256.cpp - A digest without LLVM ---------------------------------===//
//
// FIPS 180-4. The round constants are what it says they are, the first bits of the
// fractional parts of roots of primes, computed here instead of copied.
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/Sha256.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

using namespace gnnc;

namespace {

using Word = std::uint32_t;
using Wide = unsigned __int128;

constexpr std::array<unsigned, 64> primes() {
  std::array<unsigned, 64> found{};
  unsigned count = 0;
  for (unsigned number = 2; count < found.size(); ++number) {
    bool isPrime = true;
    for (unsigned i = 0; i < count && isPrime; ++i)
      isPrime = number % found[i] != 0;
    if (isPrime)
      found[count++] = number;
  }
  return found;
}

constexpr std::array<unsigned, 64> kPrimes = primes();

/// The first 32 bits behind the point of the root of that degree (2 or 3) of `number`.
constexpr Word fractionOfRoot(unsigned number, unsigned degree) {
  // The largest r with r^degree <= number * 2^(32 degree); its low word is the fraction.
  std::uint64_t root = 0;
  for (int bit = 36; bit >= 0; --bit) {
    std::uint64_t next = root | (std::uint64_t(1) << bit);
    Wide power = Wide(next) * next;
    if (degree == 3)
      power *= next;
    if (power <= (Wide(number) << (32 * degree)))
      root = next;
  }
  return static_cast<Word>(root);
}

constexpr std::array<Word, 64> roundConstants() {
  std::array<Word, 64> constants{};
  for (unsigned i = 0; i < 64; ++i)
    constants[i] = fractionOfRoot(kPrimes[i], 3);
  return constants;
}

constexpr std::array<Word, 8> initialState() {
  std::array<Word, 8> state{};
  for (unsigned i = 0; i < 8; ++i)
    state[i] = fractionOfRoot(kPrimes[i], 2);
  return state;
}

constexpr std::array<Word, 64> kRound = roundConstants();
constexpr std::array<Word, 8> kInitial = initialState();

void addBlock(std::array<Word, 8> &state, const unsigned char *block) {
  std::array<Word, 64> w;
  for (unsigned i = 0; i < 16; ++i)
    w[i] = Word(block[4 * i]) << 24 | Word(block[4 * i + 1]) << 16 | Word(block[4 * i + 2]) << 8 |
           Word(block[4 * i + 3]);
  for (unsigned i = 16; i < 64; ++i) {
    Word a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (unsigned i = 0; i < 64; ++i) {
    Word one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
               kRound[i] + w[i];
    Word two =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one;
    d = c, c = b, b = a, a = one + two;
  }
  const std::array<Word, 8> more = {a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8; ++i)
    state[i] += more[i];
}

} // namespace

std::string gnnc::sha256(std::string_view text) {
  std::array<Word, 8> state = kInitial;
  const auto *bytes = reinterpret_cast<const unsigned char *>(text.data());
  std::size_t whole = text.size() / 64 * 64;
  for (std::size_t at = 0; at < whole; at += 64)
    addBlock(state, bytes + at);
  // What is left, a bit, zeros, and the length in bits: one block or two.
  unsigned char tail[128] = {};
  std::size_t left = text.size() - whole;
  if (left)
    std::memcpy(tail, bytes + whole, left);
  tail[left] = 0x80;
  std::size_t size = left < 56 ? 64 : 128;
  std::uint64_t bits = std::uint64_t(text.size()) * 8;
  for (unsigned i = 0; i < 8; ++i)
    tail[size - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  for (std::size_t at = 0; at < size; at += 64)
    addBlock(state, tail + at);
  std::string digits;
  for (Word word : state)
    for (int shift = 28; shift >= 0; shift -= 4)
      digits += "0123456789abcdef"[word >> shift & 15];
  return digits;
}
