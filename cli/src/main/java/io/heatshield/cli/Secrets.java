package io.heatshield.cli;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rejects secrets on the command line, where every user of the machine can read them.
 *
 * <p>An option is recognised as a secret by its name, even if no command has it. The error message
 * never contains its value.
 */
final class Secrets {
  private static final Pattern OPTION =
      Pattern.compile(
          "(--?(?:[a-z]+[-_])*(?:password|passwd|passphrase|pass|secret|token|api-?key|auth))(?:=.*)?",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final Pattern URL_WITH_PASSWORD =
      Pattern.compile("(?:.*=)?([a-z][a-z0-9+.-]*)://[^/@]*:[^/@]+@.*", Pattern.DOTALL);

  private Secrets() {}

  /** Returns the error message, or empty if no argument is a secret. */
  static Optional<String> refusal(List<String> args) {
    for (String arg : args) {
      Matcher option = OPTION.matcher(arg);
      if (option.matches()) {
        return Optional.of(
            refusal(option.group(1), "server.admin_token_file in the configuration names that"));
      }
      Matcher url = URL_WITH_PASSWORD.matcher(arg);
      if (url.matches()) {
        return Optional.of(
            refusal(
                "a password in a " + url.group(1) + ":// address",
                "the configuration reads it as ${NAME} from the environment, or names that"));
      }
    }
    return Optional.empty();
  }

  private static String refusal(String what, String instead) {
    return what
        + " is not accepted on the command line, where every user of this machine can read it;"
        + " store the secret in a file with mode 0600: "
        + instead
        + " file";
  }
}
