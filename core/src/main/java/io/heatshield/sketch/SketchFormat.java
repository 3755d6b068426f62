package io.heatshield.sketch;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/** The stored form of a sketch. */
final class SketchFormat {
  /*
   * Big-endian, version 1:
   *
   *    0  magic "HSCM"
   *    4  version, 2 bytes
   *    6  update (0 conservative, 1 additive), 1 byte
   *    7  single writer (0 or 1), 1 byte
   *    8  counter bits, 2 bytes
   *   10  depth, 2 bytes
   *   12  width, 4 bytes
   *   16  stripes, 2 bytes
   *   18  stripe that is being halved or is next, 2 bytes
   *   20  fingerprint of the hash function, 8 bytes
   *   28  for each stripe: total, 8 bytes; total at the beginning of its halving, 8; next counter
   *       to halve or -1, 4; flags, 4; the counters, row by row
   *  end  CRC-32C of all bytes before, 4 bytes
   *
   * The length follows from the dimensions and is checked before anything is allocated, so a
   * reader allocates no more than the length of its input. CRC-32C detects every flipped bit.
   */
  static final int HEADER = 28;

  private static final int MAGIC = 0x4853434d;
  private static final int VERSION = 1;
  private static final int STRIPE_HEADER = 24;
  private static final int KNOWN_FLAGS = 3;

  private SketchFormat() {}

  /** Returns a writer that has written the header. */
  static Writer begin(SketchShape shape, long fingerprint, int halving) {
    long length = length(shape.cells(), shape.counterBytes(), shape.stripes());
    if (length > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException("snapshot must fit in one array: " + length + " bytes");
    }
    byte[] bytes = new byte[(int) length];
    ByteBuffer out = ByteBuffer.wrap(bytes);
    out.putInt(MAGIC)
        .putShort((short) VERSION)
        .put((byte) (shape.update() == Update.ADDITIVE ? 1 : 0));
    out.put((byte) (shape.singleWriter() ? 1 : 0)).putShort((short) shape.counterBits());
    out.putShort((short) shape.depth()).putInt(shape.width());
    out.putShort((short) shape.stripes()).putShort((short) halving).putLong(fingerprint);
    return new Writer(bytes, out, shape.counterBits());
  }

  /** Returns the stored sketch. */
  static CountMinSketch read(byte[] bytes, long fingerprint) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    require(bytes.length >= HEADER + Integer.BYTES, "complete", bytes.length + " bytes");
    require(in.getInt() == MAGIC, "a serialized sketch", "wrong magic number");
    int version = in.getShort();
    require(version == VERSION, "of version " + VERSION, "version " + version);
    require(checksum(bytes) == in.getInt(bytes.length - Integer.BYTES), "intact", "wrong checksum");

    SketchShape shape = readShape(in, bytes.length);
    int halving = in.getShort();
    require(halving >= 0 && halving < shape.stripes(), "intact", "halving of stripe " + halving);
    long stored = in.getLong();
    require(stored == fingerprint, "of this hash function and secret", "another fingerprint");

    var sketch = new CountMinSketch(shape);
    sketch.resumeHalving(halving);
    for (int i = 0; i < shape.stripes(); i++) {
      readStripe(in, sketch.stripe(i), shape.counterBits());
    }
    return sketch;
  }

  private static SketchShape readShape(ByteBuffer in, int length) {
    int update = in.get();
    int singleWriter = in.get();
    int counterBits = in.getShort();
    int depth = in.getShort();
    int width = in.getInt();
    int stripes = in.getShort();
    boolean valid =
        (update == 0 || update == 1)
            && (singleWriter == 0 || singleWriter == 1)
            && (counterBits == Integer.SIZE || counterBits == Long.SIZE)
            && depth >= 1
            && depth <= Rows.MAX_DEPTH
            && width >= 1
            && stripes >= 1
            && stripes <= (singleWriter == 1 ? 1 : SketchShape.MAX_STRIPES)
            && Integer.bitCount(stripes) == 1
            && length((long) width * depth, counterBits / Byte.SIZE, stripes) == length;
    require(
        valid,
        "of valid dimensions",
        String.format(
            Locale.ROOT,
            "%d x %d of %d bits, %d stripes, in %d bytes",
            width,
            depth,
            counterBits,
            stripes,
            length));
    return new SketchShape(
        width,
        depth,
        counterBits,
        stripes,
        update == 1 ? Update.ADDITIVE : Update.CONSERVATIVE,
        singleWriter == 1);
  }

  private static void readStripe(ByteBuffer in, SketchStripe stripe, int counterBits) {
    long total = in.getLong();
    long totalAtSweep = in.getLong();
    int sweep = in.getInt();
    int flags = in.getInt();
    require(
        total >= 0
            && totalAtSweep >= 0
            && totalAtSweep <= total
            && sweep >= SketchStripe.AT_REST
            && sweep < stripe.length()
            && (flags & ~KNOWN_FLAGS) == 0,
        "intact",
        "a stripe in an invalid state");
    for (int i = 0; i < stripe.length(); i++) {
      long value = counterBits == Integer.SIZE ? Integer.toUnsignedLong(in.getInt()) : in.getLong();
      require(value >= 0, "intact", "a negative counter");
      stripe.setCell(i, value);
    }
    stripe.restore(total, flags, sweep, totalAtSweep);
  }

  private static long length(long cells, int counterBytes, int stripes) {
    return HEADER + stripes * (STRIPE_HEADER + cells * counterBytes) + Integer.BYTES;
  }

  private static int checksum(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - Integer.BYTES);
    return (int) crc.getValue();
  }

  private static void require(boolean holds, String rule, String found) {
    if (!holds) {
      throw new IllegalArgumentException("snapshot must be " + rule + ": " + found);
    }
  }

  /** Writes the stripes of a sketch, each while its lock is held. */
  static final class Writer {
    private final byte[] bytes;
    private final ByteBuffer out;
    private final int counterBits;

    private Writer(byte[] bytes, ByteBuffer out, int counterBits) {
      this.bytes = bytes;
      this.out = out;
      this.counterBits = counterBits;
    }

    void write(SketchStripe stripe) {
      boolean atRest = stripe.sweep() == SketchStripe.AT_REST;
      out.putLong(stripe.total()).putLong(atRest ? 0 : stripe.totalAtSweep());
      out.putInt(stripe.sweep()).putInt(stripe.flags());
      for (int i = 0; i < stripe.length(); i++) {
        long value = stripe.cell(i);
        if (counterBits == Integer.SIZE) {
          out.putInt((int) value);
        } else {
          out.putLong(value);
        }
      }
    }

    byte[] end() {
      out.putInt(checksum(bytes));
      return bytes;
    }
  }
}
