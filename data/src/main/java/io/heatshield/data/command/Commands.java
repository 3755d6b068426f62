package io.heatshield.data.command;

import io.heatshield.data.command.hot.ChannelCommands;
import io.heatshield.data.command.hot.ExplainCommands;
import io.heatshield.data.command.hot.HeatCommands;
import io.heatshield.data.command.hot.HotKeysCommands;
import io.heatshield.data.command.keys.KeyCommands;
import io.heatshield.data.command.keys.ScanCommands;
import io.heatshield.data.command.keys.StringCommands;
import io.heatshield.data.command.server.CommandCommands;
import io.heatshield.data.command.server.ServerCommands;
import io.heatshield.data.command.session.ClientCommands;
import io.heatshield.data.command.session.ConnectionCommands;
import io.heatshield.data.command.session.TransactionCommands;
import io.heatshield.data.command.sketch.CountMinCommands;
import io.heatshield.data.command.sketch.CuckooCommands;
import io.heatshield.data.command.sketch.TopCommands;
import java.util.List;
import java.util.stream.Stream;

/** All commands of the data port. */
public final class Commands {
  private Commands() {}

  /** Returns the table of all commands. */
  public static CommandTable table() {
    return new CommandTable(
        Stream.of(
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
            .flatMap(List::stream)
            .toList());
  }
}
