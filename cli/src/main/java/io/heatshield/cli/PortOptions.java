package io.heatshield.cli;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.value.Address;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The options that say where a server listens; each wins over the file and the environment.
 *
 * <p>A port alone means that port of 127.0.0.1. A value that is no address is wrong usage.
 */
final class PortOptions {
  private static final String HERE = "127.0.0.1:";

  @Option(
      names = "--http",
      paramLabel = "[HOST:]PORT",
      converter = AddressConverter.class,
      description = "Where HTTP listens; 0 takes any free port.")
  private @Nullable Address http;

  @Option(
      names = "--grpc",
      paramLabel = "[HOST:]PORT",
      converter = AddressConverter.class,
      description = "Where gRPC listens, if there are rate limits.")
  private @Nullable Address grpc;

  @Option(
      names = "--resp",
      paramLabel = "[HOST:]PORT",
      converter = AddressConverter.class,
      description = "Where Redis clients connect.")
  private @Nullable Address resp;

  /** Returns where HTTP is to listen, or null if the option was not given. */
  @Nullable Address http() {
    return http;
  }

  /** Returns where gRPC is to listen, or null if the option was not given. */
  @Nullable Address grpc() {
    return grpc;
  }

  /** Returns where the Redis protocol is to listen, or null if the option was not given. */
  @Nullable Address resp() {
    return resp;
  }

  /** Returns a loader in which the options that were given win. */
  ConfigLoader over(ConfigLoader loader) {
    ConfigLoader all = with(loader, "http", http);
    all = with(all, "grpc", grpc);
    return with(all, "resp", resp);
  }

  private static ConfigLoader with(ConfigLoader loader, String name, @Nullable Address address) {
    return address == null
        ? loader
        : loader.withOption("--" + name, "server." + name, address.toString());
  }

  /** Reads an address, or a port of this machine's loopback. */
  static final class AddressConverter implements ITypeConverter<Address> {
    private static final Pattern PORT = Pattern.compile("[0-9]+");

    @Override
    public Address convert(String text) {
      try {
        return Address.parse(PORT.matcher(text).matches() ? HERE + text : text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text + "': " + e.getMessage());
      }
    }
  }
}
