package io.heatshield.cli;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.size.KeySet;
import io.heatshield.cli.size.NumberText;
import io.heatshield.cli.size.SizeEstimate;
import io.heatshield.cli.size.SizeJson;
import io.heatshield.cli.size.SizeText;
import io.heatshield.cli.size.SizedStore;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code size} command: computes the memory of a number of keys; starts nothing. */
@Command(
    name = "size",
    description = {
      "Computes the memory of a number of keys: raw, in a Bloom filter and in the cuckoo filter of a"
          + " store, and prints the configuration of the store.",
      "Everything is computed but the time of a build, which it measures for about a second."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield size --items 22e9 --key-bytes 36 --fpr 0.001",
      "  heatshield size --items 22e9 --miss-rate 1M/s --price-per-gib-month 3",
      "  heatshield size --items 5M --key-bytes 20 --value-bytes 1000   a store in memory",
      "  heatshield size --items 100M --json"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class SizeCommand implements Callable<Integer> {
  private static final long MAX_ITEMS = 1_000_000_000_000L;
  private static final long MAX_KEY = 512L << 20;

  @Option(
      names = "--items",
      paramLabel = "N",
      required = true,
      description = "The number of keys, such as 22e9, 22_000_000_000 or 22B.")
  private String items;

  @Option(
      names = "--key-bytes",
      paramLabel = "N",
      defaultValue = "32",
      description = "The mean length of a key. Default: ${DEFAULT-VALUE}.")
  private String keyBytes;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description =
          "The mean length of a value, for a store in memory. Default: a store on disk, whose"
              + " values take no memory.")
  private @Nullable String valueBytes;

  @Option(
      names = "--fpr",
      paramLabel = "P",
      defaultValue = "0.001",
      description = "The false positive rate, such as 0.001 or 0.1%%. Default: ${DEFAULT-VALUE}.")
  private String rate;

  @Option(
      names = "--miss-rate",
      paramLabel = "N",
      description = "The reads of absent keys per second, such as 1M/s.")
  private @Nullable String missRate;

  @Option(
      names = "--price-per-gib-month",
      paramLabel = "P",
      description = "The price of a GiB of memory in a month.")
  private @Nullable String price;

  @Option(names = "--json", description = "Prints the estimate as JSON.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    KeySet keys = keys();
    SizeEstimate estimate;
    SizedStore store;
    try {
      estimate = SizeEstimate.of(keys);
      store = SizedStore.of(estimate);
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    }
    if (json) {
      out.println(SizeJson.of(estimate, store));
      return ExitCode.OK;
    }
    SizeText.lines(estimate, store).forEach(out::println);
    out.println();
    store.yaml().lines().forEach(out::println);
    return ExitCode.OK;
  }

  private KeySet keys() {
    try {
      return new KeySet(
          NumberText.count("--items", items, 1, MAX_ITEMS),
          NumberText.count("--key-bytes", keyBytes, 1, MAX_KEY),
          valueBytes == null
              ? null
              : (Long) NumberText.count("--value-bytes", valueBytes, 0, MAX_KEY),
          NumberText.share("--fpr", rate),
          missRate == null ? null : (Double) NumberText.perSecond("--miss-rate", missRate),
          price == null ? null : (Double) NumberText.price("--price-per-gib-month", price));
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    }
  }

  private ParameterException wrong(IllegalArgumentException fault) {
    return new ParameterException(spec.commandLine(), String.valueOf(fault.getMessage()));
  }
}
