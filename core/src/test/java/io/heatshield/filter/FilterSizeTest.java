package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class FilterSizeTest {

  @Test
  void size_ofAnySettings_isThatOfTheFilter() {
    CuckooFilterBuilder builder =
        CuckooFilter.builder().expectedItems(123_456).falsePositiveRate(0.01);

    FilterSize size = builder.size();

    CuckooFilter filter = builder.build();
    assertThat(size.bytes()).isEqualTo(filter.bytes());
    assertThat(size.items()).isEqualTo(filter.capacity()).isGreaterThanOrEqualTo(123_456);
    assertThat(size.fingerprintBits()).isEqualTo(filter.stats().fingerprintBits());
  }

  @Test
  void size_of22BillionKeys_isAtMostTwoPercentAbove13Point7Bits() {
    FilterSize size =
        CuckooFilter.builder()
            .expectedItems(22_000_000_000L)
            .falsePositiveRate(0.001)
            .growth(Growth.REFUSE)
            .size();

    assertThat(size.items()).isGreaterThanOrEqualTo(22_000_000_000L);
    assertThat(size.buckets()).isGreaterThan(1L << 32);
    assertThat(size.bytes() * 8 / 22e9).isLessThanOrEqualTo(13.7 * 1.02);
    assertThat(size.falsePositiveRate()).isLessThanOrEqualTo(0.001);
  }

  @Test
  void size_overBudgetUnderRefuse_throwsWithTheComputation() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder(8_000_000_000L, 5_368_709_120L).size())
        .withMessageContaining("8000000000 items in ")
        .withMessageContaining("buckets of 4 x 13 bits need")
        .withMessageContaining("maxBytes is 5368709120");
  }

  @Test
  void size_overBudgetUnderDegrade_isThatOfFewerBitsWithoutAWarning() {
    var warnings = new ArrayList<String>();

    FilterSize size =
        builder(8_000_000_000L, 9_000_000_000L)
            .onOverBudget(OverBudget.DEGRADE)
            .onWarning(warnings::add)
            .size();

    assertThat(size.fingerprintBits()).isEqualTo(8);
    assertThat(size.bytes()).isLessThanOrEqualTo(9_000_000_000L);
    assertThat(warnings).isEmpty();
  }

  private static CuckooFilterBuilder builder(long items, long maxBytes) {
    return CuckooFilter.builder().expectedItems(items).growth(Growth.REFUSE).maxBytes(maxBytes);
  }
}
