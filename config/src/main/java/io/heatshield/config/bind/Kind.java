package io.heatshield.config.bind;

import io.heatshield.config.value.Address;
import io.heatshield.config.value.ByteSize;
import io.heatshield.config.value.Cidr;
import io.heatshield.config.value.DurationText;
import io.heatshield.config.value.FingerprintBits;
import io.heatshield.config.value.HostName;
import io.heatshield.config.value.InvalidValueException;
import io.heatshield.config.value.NearestName;
import io.heatshield.config.value.Numbers;
import io.heatshield.config.value.Rate;
import io.heatshield.config.value.TouchRate;
import io.heatshield.config.value.WebhookUrl;
import io.heatshield.redis.RedisUrl;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A type of single values: its name and its parser.
 *
 * @param expected what may be written, for the guide and for messages
 */
public record Kind(String expected, Function<String, Object> reader) {
  private static final List<String> REDIS_SCHEMES =
      List.of("redis", "rediss", "redis-cluster", "redis-sentinel");
  private static final Map<Class<?>, Kind> KINDS =
      Map.ofEntries(
          Map.entry(String.class, new Kind("text", text -> text)),
          Map.entry(int.class, new Kind("whole number", Numbers::readInt)),
          Map.entry(long.class, new Kind("whole number", Numbers::readLong)),
          Map.entry(Long.class, new Kind("whole number", Numbers::readLong)),
          Map.entry(double.class, new Kind("number", Numbers::readDouble)),
          Map.entry(Double.class, new Kind("number", Numbers::readDouble)),
          Map.entry(boolean.class, new Kind("true or false", Numbers::readBoolean)),
          Map.entry(Duration.class, new Kind("duration", DurationText::parse)),
          Map.entry(ByteSize.class, new Kind("size", ByteSize::parse)),
          Map.entry(Address.class, new Kind("host:port", Address::parse)),
          Map.entry(HostName.class, new Kind("host name", HostName::parse)),
          Map.entry(Cidr.class, new Kind("address or network", Cidr::parse)),
          Map.entry(Rate.class, new Kind("rate", Rate::parse)),
          Map.entry(TouchRate.class, new Kind("rate of touches", TouchRate::parse)),
          Map.entry(RedisUrl.class, new Kind("URL of a Redis", Kind::readRedisUrl)),
          Map.entry(WebhookUrl.class, new Kind("URL", WebhookUrl::parse)),
          Map.entry(
              FingerprintBits.class, new Kind("`auto` or whole number", FingerprintBits::parse)),
          Map.entry(Path.class, new Kind("path", Kind::readPath)));

  /** Returns the kind of a type. */
  static Kind of(Class<?> type) {
    if (type.isEnum()) {
      List<String> names =
          Stream.of(type.getEnumConstants()).map(constant -> text(constant, false)).toList();
      String expected = "`" + String.join("`, `", names) + "`";
      return new Kind(expected, text -> readEnum(type, names, text));
    }
    Kind kind = KINDS.get(type);
    if (kind == null) {
      throw new IllegalArgumentException("type must be a kind of setting: " + type);
    }
    return kind;
  }

  /** Parses a value, or throws {@link InvalidValueException}. */
  Object read(String text) {
    return reader.apply(text);
  }

  /** Returns a value as it is written in the file. */
  static String text(@Nullable Object value, boolean unmasked) {
    if (value == null) {
      return "null";
    }
    if (value instanceof Duration duration) {
      return DurationText.of(duration);
    }
    if (value instanceof Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT);
    }
    if (value instanceof Double number) {
      return Numbers.text(number);
    }
    if (value instanceof RedisUrl url) {
      return unmasked ? url.unmasked() : url.masked();
    }
    if (value instanceof WebhookUrl url && unmasked) {
      return url.unmasked();
    }
    if (value instanceof List<?> list) {
      return "["
          + String.join(", ", list.stream().map(item -> text(item, unmasked)).toList())
          + "]";
    }
    return value.toString();
  }

  private static Object readEnum(Class<?> type, List<String> names, String text) {
    int index = names.indexOf(text);
    if (index < 0) {
      throw new InvalidValueException("must be " + oneOf(names), NearestName.hint(text, names));
    }
    return Arrays.asList(type.getEnumConstants()).get(index);
  }

  private static String oneOf(List<String> names) {
    int last = names.size() - 1;
    return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
  }

  private static RedisUrl readRedisUrl(String text) {
    try {
      RedisUrl url = RedisUrl.parse(text);
      for (InetSocketAddress server : url.servers()) {
        String host = server.getHostString();
        Address.host(host.contains(":") ? "[" + host + "]" : host);
      }
      return url;
    } catch (InvalidValueException e) {
      throw new InvalidValueException(
          "the servers must be host:port, separated by commas: " + e.problem());
    } catch (IllegalArgumentException e) {
      String problem = String.valueOf(e.getMessage()).replaceFirst("^url ", "");
      int scheme = text.indexOf("://");
      String nearest = scheme < 0 ? null : NearestName.of(text.substring(0, scheme), REDIS_SCHEMES);
      boolean misspelt = nearest != null && !text.startsWith(nearest + "://");
      throw new InvalidValueException(
          problem, misspelt ? "did you mean " + nearest + "://?" : null);
    }
  }

  private static Path readPath(String text) {
    try {
      if (!text.isEmpty()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      throw new InvalidValueException("must be a path");
    }
    throw new InvalidValueException("must be a path, not empty");
  }
}
