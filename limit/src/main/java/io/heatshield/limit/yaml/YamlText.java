package io.heatshield.limit.yaml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
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

/** Turns YAML text into pieces; whatever the text, the outcome is pieces or a fault. */
final class YamlText {
  /*
   * Built from the parser's events: depth is checked before anything is nested, an alias is charged
   * with the size of what it repeats, and an anchor is known once its piece is complete, so that no
   * piece can contain itself.
   */
  static final int MAX_DEPTH = 32;
  static final int MAX_PIECES = 500_000;

  private static final String MERGE = "<<";

  private final String file;
  private final RuleFaults faults;
  private final Map<Anchor, Sized> anchors = new HashMap<>();
  private int pieces;

  private YamlText(String file, RuleFaults faults) {
    this.file = file;
    this.faults = faults;
  }

  /**
   * Returns the one document of a text; null if it is empty or, with a fault added, not readable.
   */
  static @Nullable Yaml read(String text, String file, RuleFaults faults) {
    return new YamlText(file, faults).document(text);
  }

  private @Nullable Yaml document(String text) {
    LoadSettings settings = LoadSettings.builder().setLabel("rules").build();
    try {
      Iterator<Event> events = new Parse(settings).parseString(text).iterator();
      Yaml root = null;
      boolean started = false;
      while (events.hasNext()) {
        Event event = events.next();
        if (event.getEventId() == Event.ID.DocumentStart) {
          if (started) {
            throw new Stop(line(event), "a second document begins here");
          }
          started = true;
          root = piece(events.next(), events, 0);
        }
      }
      return root;
    } catch (Stop stop) {
      broken(stop.line, stop.sentence);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
      broken(line, e.getProblem());
    } catch (ReaderException e) {
      broken(
          lineOf(text, e.getPosition()),
          String.format(Locale.ROOT, "the character U+%04X is not allowed", e.getCodePoint()));
    } catch (YamlEngineException e) {
      broken(0, e.getMessage());
    }
    return null;
  }

  private void broken(int line, @Nullable String problem) {
    String shown = RuleFaults.shown(problem == null ? "unknown problem" : problem);
    faults.add(file, line, "error loading config file: " + shown);
  }

  private Yaml piece(Event event, Iterator<Event> events, int depth) {
    int line = line(event);
    if (event instanceof AliasEvent alias) {
      Sized known = anchors.get(alias.getAlias());
      if (known == null) {
        throw new Stop(line, "the alias *" + alias.getAlias().getValue() + " has no anchor before");
      }
      charge(known.pieces, line);
      return known.piece;
    }
    if (depth > MAX_DEPTH) {
      throw new Stop(line, "nested more than " + MAX_DEPTH + " levels deep");
    }
    refuseTag(event, line);
    int before = pieces;
    charge(1, line);
    Yaml piece =
        switch (event.getEventId()) {
          case Scalar -> scalar((ScalarEvent) event, line);
          case SequenceStart -> sequence(events, line, depth);
          case MappingStart -> mapping(events, line, depth);
          default -> throw new IllegalStateException("unexpected event: " + event.getEventId());
        };
    if (event instanceof NodeEvent anchored) {
      Optional<Anchor> anchor = anchored.getAnchor();
      anchor.ifPresent(name -> anchors.put(name, new Sized(piece, pieces - before)));
    }
    return piece;
  }

  private static Yaml.Scalar scalar(ScalarEvent event, int line) {
    return new Yaml.Scalar(line, event.getValue(), event.isPlain());
  }

  private Yaml sequence(Iterator<Event> events, int line, int depth) {
    var items = new ArrayList<Yaml>();
    Event event = events.next();
    while (event.getEventId() != Event.ID.SequenceEnd) {
      items.add(piece(event, events, depth + 1));
      event = events.next();
    }
    return new Yaml.Sequence(line, items);
  }

  private Yaml mapping(Iterator<Event> events, int line, int depth) {
    var entries = new LinkedHashMap<String, Yaml.Entry>();
    var own = new HashMap<String, Integer>();
    Event event = events.next();
    while (event.getEventId() != Event.ID.MappingEnd) {
      int keyLine = line(event);
      if (!(event instanceof ScalarEvent name)) {
        throw new Stop(keyLine, "a key must be a plain name");
      }
      refuseTag(event, keyLine);
      Yaml value = piece(events.next(), events, depth + 1);
      Integer first = own.putIfAbsent(name.getValue(), keyLine);
      if (first != null) {
        broken(keyLine, "key \"" + name.getValue() + "\" already set in map, on line " + first);
      } else if (name.isPlain() && name.getValue().equals(MERGE)) {
        merge(value, keyLine, entries);
      } else {
        entries.put(name.getValue(), new Yaml.Entry(keyLine, scalar(name, keyLine), value));
      }
      event = events.next();
    }
    return new Yaml.Mapping(line, entries);
  }

  /** Puts the entries of a map over those read so far, or of several maps, the first on top. */
  private static void merge(Yaml value, int line, Map<String, Yaml.Entry> entries) {
    List<Yaml> maps = value instanceof Yaml.Sequence several ? several.items() : List.of(value);
    for (int i = maps.size() - 1; i >= 0; i--) {
      if (!(maps.get(i) instanceof Yaml.Mapping map)) {
        throw new Stop(line, "map merge requires map or sequence of maps as the value");
      }
      entries.putAll(map.entries());
    }
  }

  private void charge(int more, int line) {
    pieces += more;
    if (pieces > MAX_PIECES) {
      throw new Stop(line, "stands for more than " + MAX_PIECES + " values");
    }
  }

  private static void refuseTag(Event event, int line) {
    Optional<String> tag =
        event instanceof ScalarEvent scalar
            ? scalar.getTag()
            : event instanceof CollectionStartEvent start ? start.getTag() : Optional.empty();
    if (tag.isPresent()) {
      throw new Stop(line, "tags such as !!name are not allowed");
    }
  }

  private static int line(Event event) {
    return event.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
  }

  private static int lineOf(String text, int position) {
    int end = Math.min(position, text.length());
    return 1 + (int) text.chars().limit(end).filter(c -> c == '\n').count();
  }

  /** A piece and the number of pieces in it. */
  private record Sized(Yaml piece, int pieces) {}

  /** Ends the reading of a text that is not worth reading on. */
  private static final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;
    private final String sentence;

    Stop(int line, String sentence) {
      super(sentence, null, false, false);
      this.line = line;
      this.sentence = sentence;
    }
  }
}
