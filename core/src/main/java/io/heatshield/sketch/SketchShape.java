package io.heatshield.sketch;

/** The fixed properties of a sketch, already found to be possible. */
record SketchShape(
    int width, int depth, int counterBits, int stripes, Update update, boolean singleWriter) {
  static final int MAX_STRIPES = 64;

  /** The most counters that a stripe's array can hold. */
  static final long MAX_CELLS = Integer.MAX_VALUE - 8;

  SketchStripe newStripe() {
    return counterBits == Integer.SIZE
        ? new IntStripe(width, depth, update)
        : new LongStripe(width, depth, update);
  }

  int cells() {
    return width * depth;
  }

  int counterBytes() {
    return counterBits / Byte.SIZE;
  }

  long bytes() {
    return stripes * ((long) cells() * counterBytes() + SketchStripe.STATE_BYTES);
  }
}
