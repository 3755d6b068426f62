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
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Parses YAML text, whatever it contains, to a {@link Yaml} value or a fault. */
final class YamlText {
  /*
   * Built from the parser's events: the depth is checked before a value is nested, an alias counts
   * as many values as it repeats, and an anchor is defined once its value is complete, so that no
   * value can contain itself.
   */
  static final int MAX_DEPTH = 32;
  static final int MAX_VALUES = 500_000;

  private static final String MERGE = "<<";

  private final RuleFaults faults;
  private final Map<Anchor, Sized> anchors = new HashMap<>();
  private int values;

  private YamlText(RuleFaults faults) {
    this.faults = faults;
  }

  /** Returns the only document of a text; null if it is empty or, with a fault, malformed. */
  static @Nullable Yaml read(String text, RuleFaults faults) {
    return new YamlText(faults).document(text);
  }

  private @Nullable Yaml document(String text) {
    LoadSettings settings = LoadSettings.builder().setLabel("rules").build();
    try {
      // As api.lowlevel.Parse, a package that the module of the library does not export.
      Iterator<Event> events = new ParserImpl(settings, new StreamReader(settings, text));
      Yaml root = null;
      boolean started = false;
      while (events.hasNext()) {
        Event event = events.next();
        if (event.getEventId() == Event.ID.DocumentStart) {
          if (started) {
            throw new Stop(line(event), "a second document begins here");
          }
          started = true;
          root = value(events.next(), events, 0);
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
    faults.add(line, "error loading config file: " + shown);
  }

  private Yaml value(Event event, Iterator<Event> events, int depth) {
    int line = line(event);
    if (event instanceof AliasEvent alias) {
      Sized known = anchors.get(alias.getAlias());
      if (known == null) {
        throw new Stop(line, "the alias *" + alias.getAlias().getValue() + " has no anchor before");
      }
      charge(known.count, line);
      return known.value;
    }
    if (depth > MAX_DEPTH) {
      throw new Stop(line, "nested more than " + MAX_DEPTH + " levels deep");
    }
    refuseTag(event, line);
    int before = values;
    charge(1, line);
    Yaml value =
        switch (event.getEventId()) {
          case Scalar -> scalar((ScalarEvent) event, line);
          case SequenceStart -> sequence(events, line, depth);
          case MappingStart -> mapping(events, line, depth);
          default -> throw new IllegalStateException("unexpected event: " + event.getEventId());
        };
    if (event instanceof NodeEvent anchored) {
      anchored.getAnchor().ifPresent(name -> anchors.put(name, new Sized(value, values - before)));
    }
    return value;
  }

  private static Yaml.Scalar scalar(ScalarEvent event, int line) {
    return new Yaml.Scalar(line, event.getValue(), event.isPlain());
  }

  private Yaml sequence(Iterator<Event> events, int line, int depth) {
    var items = new ArrayList<Yaml>();
    Event event = events.next();
    while (event.getEventId() != Event.ID.SequenceEnd) {
      items.add(value(event, events, depth + 1));
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
      Yaml value = value(events.next(), events, depth + 1);
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

  /** Adds the entries of a map, or of several of which the first wins, to those read so far. */
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
    values += more;
    if (values > MAX_VALUES) {
      throw new Stop(line, "stands for more than " + MAX_VALUES + " values");
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

  /** A value and the number of values in it. */
  private record Sized(Yaml value, int count) {}

  /** Ends the parsing of a malformed text. */
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
