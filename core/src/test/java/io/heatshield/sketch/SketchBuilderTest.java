package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SketchBuilderTest {

  @Test
  void build_defaults_isFourRowsOf1024() {
    CountMinSketch sketch = CountMinSketch.builder().build();

    assertThat(sketch.width()).isEqualTo(1024);
    assertThat(sketch.depth()).isEqualTo(4);
    assertThat(sketch.stripes()).isBetween(1, 8);
    assertThat(sketch.bytes())
        .isEqualTo(sketch.stripes() * (4L * 1024 * 4 + SketchStripe.STATE_BYTES));
  }

  @Test
  void build_errorGiven_usesTheSmallestSufficientDimensions() {
    CountMinSketch sketch = CountMinSketch.builder().error(0.01, 0.01).build();

    assertThat(sketch.width()).isEqualTo(272);
    assertThat(sketch.depth()).isEqualTo(5);
  }

  @Test
  void build_memoryGiven_isNotExceededByAllStripes() {
    for (int stripes = 1; stripes <= 8; stripes *= 2) {
      CountMinSketch sketch = CountMinSketch.builder().memory(100_000, 4).stripes(stripes).build();

      assertThat(sketch.bytes()).isBetween(100_000L - stripes * 16L, 100_000L);
    }
  }

  @Test
  void build_singleWriter_hasOneStripe() {
    assertThat(CountMinSketch.builder().singleWriter().build().stripes()).isEqualTo(1);
  }

  @Test
  void build_manyFaults_reportsEveryOne() {
    SketchBuilder builder =
        CountMinSketch.builder()
            .dimensions(0, 17)
            .error(0, Double.NaN)
            .counterBits(16)
            .stripes(3)
            .singleWriter();

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "width must be at least 1: 0",
            "depth must be from 1 to 16: 17",
            "epsilon must be above 0 and below 1: 0.0",
            "delta must be above 0 and below 1: NaN",
            "counterBits must be 32 or 64: 16",
            "stripes must be a power of two from 1 to 64: 3",
            "stripes must be 1 with a single writer: 3",
            "dimensions must be set by one method only: dimensions, error");
  }

  @Test
  void build_tooLarge_throwsWithTheBytes() {
    assertThatThrownBy(() -> CountMinSketch.builder().dimensions(1 << 30, 4).build())
        .hasMessage(
            "width x depth must be at most 2147483639: 1073741824 x 4, 17179869184 bytes per stripe");
    assertThatThrownBy(() -> CountMinSketch.builder().error(1e-300, 0.01).build())
        .hasMessageContaining("width x depth must be at most");
    assertThatThrownBy(() -> CountMinSketch.builder().memory(Long.MAX_VALUE, 1).build())
        .hasMessageContaining("width x depth must be at most");
  }

  @Test
  void build_tooLittleMemory_throwsWithTheMinimum() {
    assertThatThrownBy(() -> CountMinSketch.builder().memory(300, 4).stripes(2).build())
        .hasMessage("memory must be at least 752 bytes for 2 stripes of 4 rows: 300");
    assertThatThrownBy(() -> CountMinSketch.builder().memory(-5, 4).build())
        .hasMessage("memory must be at least 1 byte: -5");
    assertThat(CountMinSketch.builder().memory(752, 4).stripes(2).build().width()).isEqualTo(1);
  }
}
