package io.heatshield.shield.command;

import io.heatshield.data.command.Command;
import java.util.List;

/**
 * A command as the upstream describes it.
 *
 * @param command its name, under which hot keys record their uses
 * @param keys the positions of its keys
 * @param kind its effect besides reading and writing its keys
 * @param target the servers of a cluster that it is sent to
 * @param blocking whether it may wait for other clients before it replies
 */
public record UpstreamCommand(
    Command command, List<KeySpec> keys, CommandKind kind, ClusterTarget target, boolean blocking) {

  public String name() {
    return command.name();
  }

  public boolean isWrite() {
    return command.isWrite();
  }
}
