package io.heatshield.data.command;

import java.util.ArrayList;
import java.util.List;

/** All commands of the data door, by group. */
public final class Commands {
  private Commands() {}

  /** Returns the table of all commands. */
  public static CommandTable table() {
    var all = new ArrayList<Command>();
    List.of(
            ConnectionCommands.all(),
            ClientCommands.all(),
            ServerCommands.all(),
            CommandCommands.all(),
            StringCommands.all(),
            KeyCommands.all(),
            ScanCommands.all(),
            TransactionCommands.all(),
            ChannelCommands.all(),
            CuckooCommands.all(),
            CountMinCommands.all(),
            TopCommands.all(),
            HotKeysCommands.all(),
            HeatCommands.all(),
            ExplainCommands.all())
        .forEach(all::addAll);
    return new CommandTable(all);
  }
}
