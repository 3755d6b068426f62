package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heatshield.settings.InvalidSettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CountMinSketchBuilderTest {

  @Test
  void build_defaults_isFourRowsOf1024() {
    CountMinSketch sketch = CountMinSketch.builder().build();

    assertThat(sketch.width()).isEqualTo(1024);
    assertThat(sketch.depth()).isEqualTo(4);
    int stripes = sketch.stripes().count();
    assertThat(stripes).isBetween(1, 8);
    assertThat(sketch.bytes()).isEqualTo(stripes * (4L * 1024 * 4 + SketchStripe.STATE_BYTES));
  }

  @Test
  void build_errorAndConfidence_usesTheSmallestSufficientDimensions() {
    CountMinSketch sketch = CountMinSketch.builder().relativeError(0.01).confidence(0.99).build();

    assertThat(sketch.width()).isEqualTo(272);
    assertThat(sketch.depth()).isEqualTo(5);
    assertThat(sketch.confidence()).isGreaterThanOrEqualTo(0.99);
    assertThat(Math.E / sketch.width()).isLessThanOrEqualTo(0.01);
  }

  @Test
  void build_oneOfErrorAndConfidence_keepsTheOtherDefault() {
    assertThat(CountMinSketch.builder().relativeError(0.01).build().depth()).isEqualTo(4);
    assertThat(CountMinSketch.builder().confidence(0.5).build().width()).isEqualTo(1024);
    assertThat(CountMinSketch.builder().confidence(0.5).build().depth()).isEqualTo(1);
    assertThat(CountMinSketch.builder().confidence(0.9999998).build().depth()).isEqualTo(16);
  }

  @Test
  void build_maxBytes_isNotExceededByAllStripes() {
    for (int stripes = 1; stripes <= 8; stripes *= 2) {
      CountMinSketch sketch = CountMinSketch.builder().maxBytes(100_000).stripes(stripes).build();

      assertThat(sketch.bytes()).isBetween(100_000L - stripes * 16L, 100_000L);
    }
  }

  @Test
  void build_singleWriter_hasOneStripe() {
    assertThat(CountMinSketch.builder().singleWriter().build().stripes().count()).isEqualTo(1);
  }

  @Test
  void build_manyFaults_reportsEveryOne() {
    CountMinSketchBuilder builder =
        CountMinSketch.builder()
            .relativeError(0)
            .width(0)
            .confidence(Double.NaN)
            .depth(17)
            .maxBytes(0)
            .counterBits(16)
            .stripes(3)
            .singleWriter();

    var refusal = catchThrowableOfType(InvalidSettingsException.class, builder::build);

    assertThat(refusal.faults())
        .containsExactly(
            "relativeError must be above 0 and below 1: 0.0",
            "confidence must be above 0 and at most 0.9999998874648253: NaN",
            "width must be at least 1: 0",
            "depth must be 1 to 16: 17",
            "maxBytes must be positive: 0",
            "counterBits must be 32 or 64: 16",
            "stripes must be a power of two from 1 to 64: 3",
            "relativeError, width and maxBytes must not be combined: set one of them",
            "confidence and depth must not be combined: set one of them",
            "stripes must be 1 with a single writer: 3");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.5, 0, 1, 1.5, 0.9999999, Double.NaN, Double.POSITIVE_INFINITY})
  void build_confidenceThatNoDepthReaches_throws(double confidence) {
    assertThatThrownBy(() -> CountMinSketch.builder().confidence(confidence).build())
        .isInstanceOf(InvalidSettingsException.class)
        .hasMessageStartingWith("confidence must be above 0 and at most 0.9999998");
  }

  @Test
  void build_tooLarge_throwsWithTheBytes() {
    assertThatThrownBy(() -> CountMinSketch.builder().width(1 << 30).build())
        .hasMessage(
            "width x depth must be at most 2147483639: 1073741824 x 4, 17179869184 bytes per stripe");
    assertThatThrownBy(() -> CountMinSketch.builder().relativeError(1e-300).build())
        .hasMessageContaining("width x depth must be at most");
    assertThatThrownBy(() -> CountMinSketch.builder().maxBytes(Long.MAX_VALUE).depth(1).build())
        .hasMessageContaining("width x depth must be at most");
  }

  @Test
  void build_tooLittleMemory_throwsWithTheMinimum() {
    assertThatThrownBy(() -> CountMinSketch.builder().maxBytes(300).stripes(2).build())
        .hasMessage("maxBytes must be at least 752 for 2 stripes of 4 rows: 300");
    assertThat(CountMinSketch.builder().maxBytes(752).stripes(2).build().width()).isEqualTo(1);
  }
}
