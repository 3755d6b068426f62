package io.heatshield.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fenced block of a document: its language, the words that follow it, and its text.
 *
 * @param file the document
 * @param line the line of the opening fence, counted from 1
 * @param language the first word behind the fence, which a page shows as colours
 * @param marks the words behind it, which only the build reads
 * @param text the lines of the block
 */
record Snippet(Path file, int line, String language, List<String> marks, String text) {
  private static final String FENCE = "```";

  /** Returns the blocks of README.md and of every page of the guide, in order. */
  static List<Snippet> ofTheDocuments() {
    var files = new ArrayList<Path>(List.of(Tree.ROOT.resolve("README.md")));
    Path guide = Tree.ROOT.resolve("docs/guide");
    if (Files.isDirectory(guide)) {
      try (Stream<Path> pages = Files.list(guide)) {
        pages.filter(page -> page.toString().endsWith(".md")).sorted().forEach(files::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return files.stream().flatMap(file -> in(file).stream()).toList();
  }

  /** Returns the blocks of one document. */
  static List<Snippet> in(Path file) {
    try {
      return in(file, Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Snippet> in(Path file, List<String> lines) {
    var snippets = new ArrayList<Snippet>();
    int i = 0;
    while (i < lines.size()) {
      int opened = i++;
      if (!lines.get(opened).stripLeading().startsWith(FENCE)) {
        continue;
      }
      var text = new StringBuilder();
      while (i < lines.size() && !lines.get(i).strip().equals(FENCE)) {
        text.append(lines.get(i++)).append('\n');
      }
      if (i++ == lines.size()) {
        throw new IllegalArgumentException(file + ":" + (opened + 1) + ": the block never ends");
      }
      List<String> words =
          List.of(lines.get(opened).strip().substring(FENCE.length()).strip().split("\\s+", -1));
      snippets.add(
          new Snippet(
              file, opened + 1, words.get(0), words.subList(1, words.size()), text.toString()));
    }
    return snippets;
  }

  /** Returns the place and the first line, as the name of its test. */
  String title() {
    String first = text.lines().findFirst().orElse("");
    return file.getFileName() + ":" + line + " " + language + ": " + first;
  }

  /** Returns a fault of the document at this block. */
  AssertionError fault(String message) {
    return new AssertionError(file + ":" + line + ": " + message);
  }
}
