package io.heatshield.limit.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

class RuleFilesFuzzTest {

  @FuzzTest
  void load_anyBytes_isRulesOrFaults(byte[] bytes) {
    LoadResult result = RuleFiles.load("f", bytes);

    if (result instanceof LoadResult.Invalid invalid) {
      assertThat(invalid.faults()).isNotEmpty().hasSizeLessThanOrEqualTo(RuleFaults.MAX + 1);
      for (RuleFault fault : invalid.faults()) {
        assertThat(fault.toString()).startsWith("f:").doesNotContainPattern("\\p{Cntrl}");
      }
    } else if (result instanceof LoadResult.Valid valid) {
      assertThat(valid.rules().dump().lines()).hasSizeGreaterThanOrEqualTo(valid.rules().size());
    }
  }
}
