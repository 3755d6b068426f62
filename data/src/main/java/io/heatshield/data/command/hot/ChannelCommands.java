package io.heatshield.data.command.hot;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.session.Session;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;

/** SUBSCRIBE and UNSUBSCRIBE, for the channel of hot-key events. */
public final class ChannelCommands {
  private ChannelCommands() {}

  public static List<Command> all() {
    return new CommandGroup("pubsub", "pubsub,noscript,loading,stale,no_multi,+subscribed")
        .call(
            "subscribe -2 - 2.0.0 Subscribes to hot-key events on __hotkey__.",
            ChannelCommands::subscribe)
        .call(
            "unsubscribe -1 - 2.0.0 Ends the subscription to hot-key events.",
            ChannelCommands::unsubscribe)
        .commands();
  }

  /** Ends all subscriptions of a client. */
  public static void unsubscribeAll(Call call) {
    Session session = call.session();
    session.channels().clear();
    session.countSubscriptions();
    call.server().channel().leave(session);
  }

  private static Reply subscribe(Call call) {
    Session session = call.session();
    for (int i = 1; i < call.count(); i++) {
      if (!call.text(i).equals(HotChannel.NAME)) {
        throw new CommandException("ERR there is one channel, " + HotChannel.NAME);
      }
    }
    var messages = new ArrayList<Reply>();
    for (int i = 1; i < call.count(); i++) {
      session.channels().add(HotChannel.NAME);
      messages.add(change("subscribe", Reply.bulk(HotChannel.NAME), session));
    }
    session.countSubscriptions();
    call.server().channel().join(session);
    return Reply.sequence(messages);
  }

  private static Reply unsubscribe(Call call) {
    Session session = call.session();
    var messages = new ArrayList<Reply>();
    if (call.count() == 1) {
      List<String> all = List.copyOf(session.channels());
      unsubscribeAll(call);
      all.forEach(name -> messages.add(change("unsubscribe", Reply.bulk(name), session)));
      if (all.isEmpty()) {
        messages.add(change("unsubscribe", Reply.NULL, session));
      }
    }
    for (int i = 1; i < call.count(); i++) {
      session.channels().remove(call.text(i));
      messages.add(change("unsubscribe", Reply.bulk(call.arg(i)), session));
    }
    session.countSubscriptions();
    if (!session.isSubscribed()) {
      call.server().channel().leave(session);
    }
    return Reply.sequence(messages);
  }

  private static Reply change(String kind, Reply channel, Session session) {
    return Reply.push(List.of(Reply.bulk(kind), channel, Reply.of(session.channels().size())));
  }
}
