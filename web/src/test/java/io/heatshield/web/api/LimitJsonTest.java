package io.heatshield.web.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.InvalidRequestException;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitHeaders;
import io.heatshield.limit.LimitOverride;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.rls.HeaderNames;
import io.heatshield.runtime.json.InvalidJsonException;
import io.heatshield.runtime.json.Json;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitJsonTest {
  private static final HeaderNames NAMES = new HeaderNames("L", "M", "R");

  @Test
  void request_everyFieldInEitherSpelling_isRead() {
    LimitRequest camel =
        parse(
            """
            {"domain": "shop", "hitsAddend": 7, "descriptors": [{
              "entries": [{"key": "user", "value": "anna"}, {"key": "path"}],
              "limit": {"requestsPerUnit": "42", "unit": "HOUR"}, "hitsAddend": 1e1}]}
            """);
    LimitRequest snake =
        parse(
            """
            {"domain": "shop", "hits_addend": 7.0, "descriptors": [{
              "entries": [{"key": "user", "value": "anna"}, {"key": "path", "value": null}],
              "limit": {"requests_per_unit": 42, "unit": 3}, "hits_addend": "10"}]}
            """);

    assertThat(camel)
        .isEqualTo(
            new LimitRequest(
                "shop",
                List.of(
                    new Descriptor(
                        List.of(
                            new DescriptorEntry("user", "anna"), new DescriptorEntry("path", "")),
                        new LimitOverride(42, LimitUnit.HOUR),
                        OptionalLong.of(10))),
                7));
    assertThat(snake).isEqualTo(camel);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\0',
      value = {
        "[]~body~must be an object",
        "{}~domain~must not be empty",
        "{\"domain\": \"d\"}~descriptors~must not be empty",
        "{\"domain\": 5}~domain~must be text",
        "{\"domain\": \"d\", \"descriptors\": {}}~descriptors~must be a list",
        "{\"domain\": \"d\", \"descriptors\": [1]}~descriptors[0]~must be an object",
        "{\"domain\": \"d\", \"descriptors\": [{\"isNegativeHits\": true}]}"
            + "~descriptors[0]~unknown field: isNegativeHits",
        "{\"domain\": \"d\", \"descriptors\": [null]}~descriptors[0]~must be an object",
        "{\"domain\": \"d\", \"hitsAddend\": -1}~hits_addend~whole number",
        "{\"domain\": \"d\", \"hitsAddend\": 1.5}~hits_addend~whole number",
        "{\"domain\": \"d\", \"hitsAddend\": 1e999}~hits_addend~whole number",
        "{\"domain\": \"d\", \"hitsAddend\": 4294967296}~hits_addend~whole number",
        "{\"domain\": \"d\", \"hitsAddend\": 1, \"hits_addend\": 1}~hits_addend~given twice",
        "{\"domain\": \"d\", \"what\": 1}~body~unknown field: what",
        "{\"domain\": \"d\", \"descriptors\": [{\"entries\": [{\"k\": 1}]}]}"
            + "~descriptors[0].entries[0]~unknown field: k",
        "{\"domain\": \"d\", \"descriptors\": [{\"limit\": {\"unit\": \"EON\"}}]}"
            + "~descriptors[0].limit.unit~must be one of",
        "{\"domain\": \"d\", \"descriptors\": [{\"limit\": {}}]}"
            + "~descriptors[0].limit.unit~must be one of",
      })
  void request_wrongField_namesItAndSaysWhatIsWrong(String body, String field, String sentence) {
    assertThatThrownBy(() -> parse(body))
        .isInstanceOfSatisfying(
            InvalidRequestException.class,
            fault -> {
              assertThat(fault.field()).isEqualTo(field);
              assertThat(fault.sentence()).contains(sentence);
            });
  }

  @Test
  void request_descriptorWithoutEntries_isOne() {
    assertThat(parse("{\"domain\": \"d\", \"descriptors\": [{}]}"))
        .isEqualTo(new LimitRequest("d", List.of(Descriptor.of()), 0));
  }

  @Test
  void request_tooManyDescriptors_areRefusedWithTheLimit() {
    String body = "{\"domain\": \"d\", \"descriptors\": [" + "{},".repeat(1000) + "{}]}";

    assertThatThrownBy(() -> parse(body))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("at most 1000 items: 1001");
  }

  @Test
  void request_textThatIsNoJson_isABadRequest() {
    assertThatThrownBy(() -> parse("{\"domain\": NaN}")).isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(() -> parse("{\"domain\": \"a\", \"domain\": \"b\"}"))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("is duplicated");
  }

  @Test
  void response_emptyOrZeroFields_areOmitted() {
    var answer =
        new LimitAnswer(
            true,
            List.of(
                new DescriptorStatus(true, new CurrentLimit(5, LimitUnit.DAY, "n"), 0, 9),
                DescriptorStatus.NO_LIMIT,
                DescriptorStatus.UNLIMITED),
            new LimitHeaders(5, 0, 9),
            Map.of("a", 1.0));

    assertThat(Json.write(LimitJson.response(answer, NAMES)))
        .isEqualTo(
            "{\"overallCode\":\"OVER_LIMIT\",\"statuses\":["
                + "{\"code\":\"OVER_LIMIT\",\"currentLimit\":{\"name\":\"n\",\"requestsPerUnit\":5,"
                + "\"unit\":\"DAY\"},\"durationUntilReset\":\"9s\"},"
                + "{\"code\":\"OK\"},{\"code\":\"OK\",\"limitRemaining\":4294967295}],"
                + "\"responseHeadersToAdd\":[{\"key\":\"L\",\"value\":\"5\"},"
                + "{\"key\":\"M\",\"value\":\"0\"},{\"key\":\"R\",\"value\":\"9\"}],"
                + "\"dynamicMetadata\":{\"a\":1.0}}");
  }

  private static LimitRequest parse(String body) {
    return LimitJson.request(body.getBytes(UTF_8));
  }
}
