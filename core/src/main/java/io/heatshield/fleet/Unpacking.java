package io.heatshield.fleet;

import io.heatshield.fleet.RefusedException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Bytes that are being read, of which nothing is believed: head and checksum are checked first,
 * every number against its most, and nothing is allocated by a number before that.
 */
final class Unpacking {
  private static final int HEAD = 14;
  private static final int TAIL = Integer.BYTES;

  private final byte[] bytes;
  private final int end;
  private int at = HEAD;

  private Unpacking(byte[] bytes) {
    this.bytes = bytes;
    this.end = bytes.length - TAIL;
  }

  /**
   * Returns what lies behind a head and before a tail that are as they must be.
   *
   * @throws RefusedException if one of them is not
   */
  static Unpacking open(byte[] bytes, byte kind, long fingerprint, int most) {
    if (bytes.length > most) {
      throw damaged("has " + bytes.length + " bytes, more than " + most);
    }
    int magic = Packing.MAGIC.length;
    if (bytes.length <= magic || !Arrays.equals(bytes, 0, magic, Packing.MAGIC, 0, magic)) {
      throw damaged("does not begin as one");
    }
    if (bytes[magic] != Packing.VERSION) {
      throw new RefusedException(
          Reason.VERSION,
          "its format is of version "
              + (bytes[magic] & 0xff)
              + ", this process reads version "
              + Packing.VERSION);
    }
    if (bytes.length < HEAD + TAIL) {
      throw damaged("ends too early");
    }
    var crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - TAIL);
    if ((int) crc.getValue() != (int) little(bytes, bytes.length - TAIL, TAIL)) {
      throw damaged("was changed: its checksum does not match");
    }
    if (bytes[magic + 1] != kind) {
      throw damaged("is of another kind");
    }
    if (little(bytes, magic + 2, Long.BYTES) != fingerprint) {
      throw new RefusedException(Reason.SECRET, "its keys are hashed with another secret");
    }
    return new Unpacking(bytes);
  }

  /** Takes a number from 0 to a greatest one. */
  long number(long most) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
      byte next = octet();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        if (value > most) {
          throw damaged("has a number of " + value + " where " + most + " is the most");
        }
        return value;
      }
    }
    throw damaged("has a number of more than 63 bits");
  }

  /** Takes a number of things, each of at least one byte. */
  int count(int most) {
    long count = number(most);
    if (count > end - at) {
      throw damaged("ends too early");
    }
    return (int) count;
  }

  long word() {
    if (end - at < Long.BYTES) {
      throw damaged("ends too early");
    }
    at += Long.BYTES;
    return little(bytes, at - Long.BYTES, Long.BYTES);
  }

  byte[] bytes(int most) {
    int count = count(most);
    at += count;
    return Arrays.copyOfRange(bytes, at - count, at);
  }

  String text(int most) {
    return new String(bytes(most), StandardCharsets.UTF_8);
  }

  void end() {
    if (at != end) {
      throw damaged("goes on after its end");
    }
  }

  static RefusedException damaged(String how) {
    return new RefusedException(Reason.DAMAGED, "it is damaged: it " + how);
  }

  private byte octet() {
    if (at == end) {
      throw damaged("ends too early");
    }
    return bytes[at++];
  }

  private static long little(byte[] bytes, int from, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value |= (bytes[from + i] & 0xffL) << (Byte.SIZE * i);
    }
    return value;
  }
}
