package io.heatshield.detect;

/**
 * Words that nobody uses, in front of the fields of a subclass: what threads write there shares no
 * cache line, nor the pair of lines that hardware fetches together, with what lies before it.
 */
abstract class LineGap {
  static final int BYTES = 16 * Long.BYTES;

  long gap0;
  long gap1;
  long gap2;
  long gap3;
  long gap4;
  long gap5;
  long gap6;
  long gap7;
  long gap8;
  long gap9;
  long gap10;
  long gap11;
  long gap12;
  long gap13;
  long gap14;
  long gap15;
}
