package io.heatshield.shield;

import io.heatshield.data.command.Command;
import io.heatshield.resp.RequestScanner;
import java.util.List;
import java.util.Map;

/**
 * A command as the upstream describes it.
 *
 * @param command its name, under which hot keys record their uses
 * @param keys where its keys are
 * @param kind what it does besides reading and writing its keys
 * @param target to which servers of a cluster it goes
 * @param blocking whether it may wait for others before it replies
 * @param children its subcommands by their second word, in lower case
 */
record UpstreamCommand(
    Command command,
    List<KeySpec> keys,
    CommandKind kind,
    ClusterTarget target,
    boolean blocking,
    Map<String, UpstreamCommand> children) {

  boolean isWrite() {
    return command.isWrite();
  }

  /** Finds the keys of a command of this name. */
  void findKeys(RequestScanner words, KeySpec.Positions found) {
    found.clear();
    for (int i = 0; i < keys.size(); i++) {
      keys.get(i).find(words, found);
    }
  }
}
