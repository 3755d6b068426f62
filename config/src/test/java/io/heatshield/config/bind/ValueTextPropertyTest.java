package io.heatshield.config.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heatshield.action.Mode;
import io.heatshield.config.value.Address;
import io.heatshield.config.value.ByteSize;
import io.heatshield.config.value.Cidr;
import io.heatshield.config.value.DurationText;
import io.heatshield.config.value.FingerprintBits;
import io.heatshield.config.value.InvalidValueException;
import io.heatshield.config.value.Rate;
import io.heatshield.redis.RedisUrl;
import java.nio.file.Path;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class ValueTextPropertyTest {

  @Property
  void parse_textOfAnyDuration_isTheDuration(@ForAll @LongRange(min = 0) long nanos) {
    Duration duration = Duration.ofNanos(nanos);

    assertThat(DurationText.parse(DurationText.of(duration))).isEqualTo(duration);
  }

  @Property
  void parse_durationInSeveralUnits_isTheirSum(
      @ForAll @IntRange(max = 1000) int hours,
      @ForAll @IntRange(max = 1000) int minutes,
      @ForAll @IntRange(max = 100_000) int micros) {
    Duration duration = DurationText.parse(hours + "h" + minutes + "m" + micros + "µs");

    assertThat(duration)
        .isEqualTo(
            Duration.ofHours(hours)
                .plusMinutes(minutes)
                .plusNanos(Math.multiplyExact(micros, 1000L)));
  }

  @Property
  void parse_textOfAnySize_isTheSize(@ForAll @LongRange(min = 0) long bytes) {
    ByteSize size = new ByteSize(bytes);

    assertThat(ByteSize.parse(size.toString())).isEqualTo(size);
  }

  @Property
  void parse_sizeInAnyUnit_isCounted(
      @ForAll @IntRange(max = 1_000_000) int number,
      @ForAll @IntRange(min = 1, max = 2) int power) {
    String binary = power == 1 ? "KiB" : "MiB";
    String decimal = power == 1 ? "KB" : "MB";

    assertThat(ByteSize.parse(number + binary).bytes()).isEqualTo(number * (1L << (10 * power)));
    assertThat(ByteSize.parse(number + " " + decimal).bytes())
        .isEqualTo(number * (power == 1 ? 1_000L : 1_000_000L));
  }

  @Property
  void parse_textOfAnyRate_isTheRate(
      @ForAll @DoubleRange(min = 0, max = 1e9) double times, @ForAll Rate.Per per) {
    Rate rate = new Rate(times, per);

    assertThat(Rate.parse(rate.toString())).isEqualTo(rate);
  }

  @Property
  void parse_textOfAnyAddress_isTheAddress(
      @ForAll @IntRange(max = 255) int part, @ForAll @IntRange(max = 65535) int port) {
    Address v4 = new Address("10.0." + part + ".1", port);
    Address v6 = new Address("fd00::" + Integer.toHexString(part), port);

    assertThat(Address.parse(v4.toString())).isEqualTo(v4);
    assertThat(Address.parse(v6.toString())).isEqualTo(v6);
  }

  @Property
  void parse_anyText_isAValueOrMalformed(@ForAll String text) {
    for (Class<?> type :
        new Class<?>[] {
          int.class,
          long.class,
          double.class,
          boolean.class,
          Duration.class,
          ByteSize.class,
          Address.class,
          Cidr.class,
          Rate.class,
          RedisUrl.class,
          FingerprintBits.class,
          Path.class,
          Mode.class
        }) {
      try {
        assertThat(Kind.of(type).read(text)).isNotNull();
      } catch (InvalidValueException e) {
        assertThat(e.problem()).isNotBlank();
      }
    }
  }

  @Property
  void parse_bareNumber_asksForAUnit(@ForAll @LongRange(min = 0) long number) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse(Long.toString(number)))
        .withMessage("a duration carries a unit, for example 60s");
  }
}
