package io.heatshield.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryPlanTest {
  private static final MachineMemory MACHINE = new MachineMemory(1000, 1000, 500, 2000, "");

  @ParameterizedTest
  @CsvSource({
    "900, 500, 600, true",
    "901, 0, 0, false",
    "0, 501, 0, false",
    "900, 500, 601, false",
    "0, 0, 2000, true",
  })
  void fits_needsRoomInEveryArea(long heap, long direct, long outside, boolean fits) {
    assertThat(plan(heap, direct, outside).fits()).isEqualTo(fits);
  }

  @ParameterizedTest
  @CsvSource({"89", "900", "901", "123456789", "98765432100"})
  void heapNeeded_asHeap_isEnough(long planned) {
    long needed = plan(planned, 0, 0).heapNeeded();

    MachineMemory larger = new MachineMemory(needed, needed, 0, Long.MAX_VALUE, "");

    var plan = new MemoryPlan(List.of(MemoryPart.heap("a", "b", planned, "")), larger);
    assertThat(plan.fits()).isTrue();
    assertThat(needed).isLessThanOrEqualTo(planned * 10 / 9 + 1001);
  }

  @Test
  void bytes_sumIsLargerThanALong_isTheLargestNumber() {
    var part = MemoryPart.heap("a", "b", Long.MAX_VALUE, "");

    assertThat(new MemoryPlan(List.of(part, part), MACHINE).bytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void table_tooLittle_saysWhereAndHowMuch() {
    List<String> table = MemoryText.table(plan(950, 100, 0));

    assertThat(table)
        .anySatisfy(line -> assertThat(line).matches(" +one: heap +950 bytes +heap +a\\.b"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .matches(" +needed on the heap +950 bytes +there are 900 bytes.*: too little"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .matches(" +needed in total +1\\.03 KiB +there are 1\\.95 KiB in this.*[^e]"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "999, 999 bytes",
    "1000, 0.98 KiB",
    "1048576, 1.00 MiB",
    "12884901888, 12.0 GiB",
    "161061273600, 150 GiB",
    "9223372036854775807, 8192 PiB",
  })
  void size_hasThreeDigits(long bytes, String text) {
    assertThat(MemoryText.size(bytes)).isEqualTo(text);
  }

  private static MemoryPlan plan(long heap, long direct, long outside) {
    return new MemoryPlan(
        List.of(
            MemoryPart.heap("one", "heap", heap, "a.b"),
            MemoryPart.direct("one", "direct", direct, ""),
            MemoryPart.outside("one", "native", outside, "")),
        MACHINE);
  }
}
