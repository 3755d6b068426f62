package io.heatshield.data.command.hot;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.Refused;
import io.heatshield.data.command.session.Session;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;

/** SUBSCRIBE and UNSUBSCRIBE, for the one channel that there is. */
public final class ChannelCommands {
  private ChannelCommands() {}

  public static List<Command> all() {
    return List.of(
        Command.now(
            "subscribe -2 pubsub,noscript,loading,stale,no_multi,+subscribed 0 0 0 pubsub 2.0.0"
                + " Listens for keys that turn hot or cool, on __hotkey__.",
            ChannelCommands::subscribe),
        Command.now(
            "unsubscribe -1 pubsub,noscript,loading,stale,no_multi,+subscribed 0 0 0 pubsub 2.0.0"
                + " Stops to listen.",
            ChannelCommands::unsubscribe));
  }

  public static void leaveAll(Call call) {
    Session session = call.session();
    session.channels().clear();
    session.countSubscriptions();
    call.realm().channel().leave(session);
  }

  private static Reply subscribe(Call call) {
    Session session = call.session();
    for (int i = 1; i < call.count(); i++) {
      if (!call.text(i).equals(HotChannel.NAME)) {
        throw new Refused("ERR there is one channel, " + HotChannel.NAME);
      }
    }
    var messages = new ArrayList<Reply>();
    for (int i = 1; i < call.count(); i++) {
      session.channels().add(HotChannel.NAME);
      messages.add(change("subscribe", Reply.bulk(HotChannel.NAME), session));
    }
    session.countSubscriptions();
    call.realm().channel().join(session);
    return Reply.sequence(messages);
  }

  private static Reply unsubscribe(Call call) {
    Session session = call.session();
    var messages = new ArrayList<Reply>();
    if (call.count() == 1) {
      List<String> all = List.copyOf(session.channels());
      leaveAll(call);
      all.forEach(name -> messages.add(change("unsubscribe", Reply.bulk(name), session)));
      if (all.isEmpty()) {
        messages.add(change("unsubscribe", Reply.NULL, session));
      }
    }
    for (int i = 1; i < call.count(); i++) {
      session.channels().remove(call.text(i));
      messages.add(change("unsubscribe", Reply.bulk(call.word(i)), session));
    }
    session.countSubscriptions();
    if (!session.isSubscribed()) {
      call.realm().channel().leave(session);
    }
    return Reply.sequence(messages);
  }

  private static Reply change(String kind, Reply channel, Session session) {
    return Reply.push(
        List.of(Reply.bulk(kind), channel, Reply.of((long) session.channels().size())));
  }
}
