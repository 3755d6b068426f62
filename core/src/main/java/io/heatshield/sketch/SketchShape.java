package io.heatshield.sketch;

/** The valid dimensions and options of a sketch, which never change. */
record SketchShape(int width, int depth, int counterBits, int stripes, boolean singleWriter) {
  static final int MAX_STRIPES = 64;

  /** The most counters of a stripe: the longest array. */
  static final long MAX_CELLS = Integer.MAX_VALUE - 8;

  SketchStripe newStripe() {
    return newStripe(cells());
  }

  /** Returns a stripe with some of its cells, to which {@link SketchStripe#copy} adds more. */
  SketchStripe newStripe(int cells) {
    return counterBits == Integer.SIZE
        ? new IntStripe(width, depth, new int[cells])
        : new LongStripe(width, depth, new long[cells]);
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
