package io.heatshield.config.yaml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Parses YAML into nodes; the result of any text is nodes or faults.
 *
 * <p>One instance reads one text.
 */
public final class YamlReader {
  /*
   * Nodes are built from the parser's events, not by the library's composer, for three reasons. A
   * duplicate key is reported with both lines, and parsing continues. Depth is checked before nodes
   * are nested, and the parser keeps its state in lists, so no text can exhaust the stack. An alias
   * counts with the size of its node, so a small text cannot expand to a huge tree. An anchor is
   * defined when its node is complete, so no node can contain itself.
   */
  static final int MAX_DEPTH = 32;
  static final int MAX_NODES = 50_000;

  private final Origin source;
  private final Faults faults;
  private final Map<Anchor, Sized> anchors = new HashMap<>();
  private int nodes;

  YamlReader(Origin source, Faults faults) {
    this.source = source;
    this.faults = faults;
  }

  /**
   * Parses a text with one document; returns null if it is empty or, with faults added, invalid.
   */
  public static @Nullable Node read(String text, Origin source, Faults faults) {
    return new YamlReader(source, faults).document(text);
  }

  private @Nullable Node document(String text) {
    LoadSettings settings = LoadSettings.builder().setLabel("configuration").build();
    try {
      Iterator<Event> events = new Parse(settings).parseString(text).iterator();
      Node root = null;
      boolean started = false;
      while (events.hasNext()) {
        Event event = events.next();
        if (event.getEventId() == Event.ID.DocumentStart) {
          if (started) {
            throw new Stop(origin(event), "a second document begins here", "remove the line ---");
          }
          started = true;
          root = node(events.next(), events, 0);
        }
      }
      return root;
    } catch (Stop stop) {
      faults.add(stop.origin, "", stop.problem, stop.hint);
    } catch (MarkedYamlEngineException e) {
      Origin origin =
          e.getProblemMark()
              .map(mark -> source.at(mark.getLine() + 1, mark.getColumn() + 1))
              .orElse(source);
      boolean variable = lineAt(text, origin.line()).contains("${");
      String hint = variable ? "inside braces and brackets ${NAME} needs quotes" : null;
      faults.add(origin, "", "is not valid YAML: " + problem(e.getProblem()), hint);
    } catch (ReaderException e) {
      String shown = String.format(Locale.ROOT, "U+%04X", e.getCodePoint());
      faults.add(
          lineOf(text, e.getPosition()), "", "holds a character that YAML forbids: " + shown, null);
    } catch (YamlEngineException e) {
      faults.add(source, "", "is not valid YAML: " + problem(e.getMessage()), null);
    }
    return null;
  }

  private Node node(Event event, Iterator<Event> events, int depth) {
    Origin origin = origin(event);
    if (event instanceof AliasEvent alias) {
      Sized known = anchors.get(alias.getAlias());
      if (known == null) {
        throw new Stop(
            origin,
            "the alias *"
                + Faults.shownKey(alias.getAlias().getValue())
                + " has no anchor before it",
            null);
      }
      charge(known.nodes, origin);
      return known.node;
    }
    if (depth > MAX_DEPTH) {
      throw new Stop(origin, "is nested more than " + MAX_DEPTH + " levels deep", null);
    }
    refuseTag(event, origin);
    int before = nodes;
    charge(1, origin);
    Node node =
        switch (event.getEventId()) {
          case Scalar ->
              new Node.Scalar(
                  origin, ((ScalarEvent) event).getValue(), ((ScalarEvent) event).isPlain());
          case SequenceStart -> sequence(events, origin, depth);
          case MappingStart -> mapping(events, origin, depth);
          default -> throw new IllegalStateException("unexpected event: " + event.getEventId());
        };
    if (event instanceof NodeEvent anchored) {
      Optional<Anchor> anchor = anchored.getAnchor();
      anchor.ifPresent(name -> anchors.put(name, new Sized(node, nodes - before)));
    }
    return node;
  }

  private Node sequence(Iterator<Event> events, Origin origin, int depth) {
    var items = new ArrayList<Node>();
    Event event = events.next();
    while (event.getEventId() != Event.ID.SequenceEnd) {
      items.add(node(event, events, depth + 1));
      event = events.next();
    }
    return new Node.Sequence(origin, items);
  }

  private Node mapping(Iterator<Event> events, Origin origin, int depth) {
    var entries = new LinkedHashMap<String, Node.Entry>();
    Event event = events.next();
    while (event.getEventId() != Event.ID.MappingEnd) {
      Origin keyOrigin = origin(event);
      String key = event instanceof ScalarEvent scalar ? scalar.getValue() : null;
      if (key == null) {
        throw new Stop(keyOrigin, "a key must be a plain name", null);
      }
      refuseTag(event, keyOrigin);
      Node value = node(events.next(), events, depth + 1);
      Node.Entry first = entries.putIfAbsent(key, new Node.Entry(keyOrigin, value));
      if (first != null) {
        faults.add(
            keyOrigin,
            Faults.shownKey(key),
            "is given twice, on line "
                + first.keyOrigin().line()
                + " and on line "
                + keyOrigin.line(),
            "keep one of them");
      }
      event = events.next();
    }
    return new Node.Mapping(origin, entries);
  }

  private void charge(int more, Origin origin) {
    nodes += more;
    if (nodes > MAX_NODES) {
      throw new Stop(origin, "expands to more than " + MAX_NODES + " values", null);
    }
  }

  private static void refuseTag(Event event, Origin origin) {
    Optional<String> tag =
        event instanceof ScalarEvent scalar
            ? scalar.getTag()
            : event instanceof CollectionStartEvent start ? start.getTag() : Optional.empty();
    if (tag.isPresent()) {
      throw new Stop(origin, "tags such as !!name are not allowed", "remove the tag");
    }
  }

  private Origin origin(Event event) {
    return event
        .getStartMark()
        .map(mark -> source.at(mark.getLine() + 1, mark.getColumn() + 1))
        .orElse(source);
  }

  private Origin lineOf(String text, int position) {
    int end = Math.min(position, text.length());
    return source.at(1 + (int) text.chars().limit(end).filter(c -> c == '\n').count(), 0);
  }

  private static String lineAt(String text, int line) {
    return text.lines().skip(Math.max(0, line - 1)).findFirst().orElse("");
  }

  private static String problem(@Nullable String problem) {
    return problem == null ? "unknown problem" : Faults.shownKey(problem);
  }

  /** A node and its number of nodes. */
  private record Sized(Node node, int nodes) {}

  /** Ends the parsing of a text after a fatal fault. */
  private static final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Origin origin;
    private final String problem;
    private final @Nullable String hint;

    Stop(Origin origin, String problem, @Nullable String hint) {
      super(problem, null, false, false);
      this.origin = origin;
      this.problem = problem;
      this.hint = hint;
    }
  }
}
