package io.heatshield.data.command;

import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Builds a map reply field by field. */
public final class MapReply {
  private final Function<String, Reply> names;
  private final List<Reply> pairs = new ArrayList<>();

  /** Creates a map whose names are bulk strings. */
  public MapReply() {
    this(Reply::bulk);
  }

  private MapReply(Function<String, Reply> names) {
    this.names = names;
  }

  /** Creates a map whose names are simple strings, as the INFO commands of RedisBloom reply. */
  public static MapReply withStatusNames() {
    return new MapReply(Reply::status);
  }

  public MapReply add(String name, Reply value) {
    pairs.add(names.apply(name));
    pairs.add(value);
    return this;
  }

  public MapReply add(String name, String value) {
    return add(name, Reply.bulk(value));
  }

  public MapReply add(String name, long value) {
    return add(name, Reply.of(value));
  }

  public MapReply add(String name, double value) {
    return add(name, Reply.of(value));
  }

  public Reply build() {
    return Reply.map(pairs);
  }
}
