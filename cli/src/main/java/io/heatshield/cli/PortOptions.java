package io.heatshield.cli;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.value.Address;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The options for the addresses of a server. They override the file and the environment.
 *
 * <p>A port without a host means 127.0.0.1. An invalid address is an error of usage.
 */
final class PortOptions {
  private static final String LOOPBACK = "127.0.0.1:";

  @Option(
      names = "--http",
      paramLabel = "[HOST:]PORT",
      converter = AddressConverter.class,
      description = "The address of the HTTP server; port 0 takes any free port.")
  private @Nullable Address http;

  @Option(
      names = "--grpc",
      paramLabel = "[HOST:]PORT",
      converter = AddressConverter.class,
      description = "The address of the gRPC server for rate limits.")
  private @Nullable Address grpc;

  @Option(
      names = "--resp",
      paramLabel = "[HOST:]PORT",
      converter = AddressConverter.class,
      description = "The address for Redis clients.")
  private @Nullable Address resp;

  /** Returns the HTTP address, or null if the option was not given. */
  @Nullable Address http() {
    return http;
  }

  /** Returns the gRPC address, or null if the option was not given. */
  @Nullable Address grpc() {
    return grpc;
  }

  /** Returns the address for Redis clients, or null if the option was not given. */
  @Nullable Address resp() {
    return resp;
  }

  /** Returns a loader in which the given options override other sources. */
  ConfigLoader applyTo(ConfigLoader loader) {
    ConfigLoader all = with(loader, "http", http);
    all = with(all, "grpc", grpc);
    return with(all, "resp", resp);
  }

  private static ConfigLoader with(ConfigLoader loader, String name, @Nullable Address address) {
    return address == null
        ? loader
        : loader.withOption("--" + name, "server." + name, address.toString());
  }

  /** Parses an address, or a port on the loopback interface. */
  static final class AddressConverter implements ITypeConverter<Address> {
    private static final Pattern PORT = Pattern.compile("[0-9]+");

    @Override
    public Address convert(String text) {
      try {
        return Address.parse(PORT.matcher(text).matches() ? LOOPBACK + text : text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text + "': " + e.getMessage());
      }
    }
  }
}
