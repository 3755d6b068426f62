package io.heatshield.stress;

/** The same calls on a ring that knows a key by its hash until its second touch. */
public class HotRingSinglesLincheckTest extends HotRingLincheckTest {

  /** Creates the test. */
  public HotRingSinglesLincheckTest() {
    super(RingSubject.withSingles());
  }
}
