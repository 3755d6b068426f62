package io.heatshield.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ExactWindowPropertyTest {

  @Property
  void touch_anyGaps_isAsCountedOneByOne(
      @ForAll @IntRange(min = 1, max = 12) int window,
      @ForAll @Size(max = 80) List<@IntRange(min = 0, max = 30) Integer> gaps) {
    var exact = new ExactWindow(window);
    var touches = new ArrayList<long[]>();
    var peaks = new int[3];
    long now = 0;

    for (int gap : gaps) {
      now += gap / 10L * (gap % 10);
      int key = gap % 3;
      exact.advance(now);
      touches.add(new long[] {key, now});
      long end = now;
      int expected =
          (int) touches.stream().filter(t -> t[0] == key && t[1] >= end - window).count();
      peaks[key] = Math.max(peaks[key], expected);

      assertThat(exact.touch(key)).isEqualTo(expected);
      assertThat(exact.peak(key)).isEqualTo(peaks[key]);
    }
    for (int key = 0; key < 3; key++) {
      int wanted = key;
      long end = now;

      assertThat(exact.count(key))
          .isEqualTo(
              (int) touches.stream().filter(t -> t[0] == wanted && t[1] >= end - window).count());
    }
  }
}
