package io.heatshield.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds phrases, class names and comments that are not plain technical English.
 *
 * <p>The lists hold only what is wrong nearly everywhere. A phrase that is split over two lines is
 * not found.
 */
final class PlainLanguage {
  /** A place where the text needs another wording. */
  record Finding(int line, String found, String suggestion) {
    @Override
    public String toString() {
      return line + ": '" + found + "': " + suggestion;
    }
  }

  private static final int MAX_COLUMNS = 100;

  private static final Map<Pattern, String> PHRASES =
      Map.ofEntries(
          phrase("so many", "name the number: 'at most limit keys', 'this many bytes'"),
          phrase("(?:is|are|be|was|were) told|told of|tells of", "'is notified of', 'receives'"),
          // Not noBody, a method of the JDK.
          phrase("(?-i:[Nn]obody)|no one", "'nothing', 'no caller', or use the active voice"),
          phrase("somebody|whoever", "name the caller: 'the client', 'the thread that ...'"),
          phrase("anybody|everybody", "name the callers: 'any thread', 'every client'"),
          phrase("foretold|foretell", "'predicted', 'predict'"),
          phrase("goes on", "'continues'"),
          phrase("hands? on|handed on", "'forwards', 'passes to'"),
          phrase("(?<!there )(?:is|are) none(?! of)", "'is not a ...', 'does not exist'"),
          phrase("held for hot", "'reported as hot'"),
          phrase("came of|comes of", "'the result of'"),
          phrase("amiss", "'wrong', 'failing'"));

  private static final Pattern CLASS =
      Pattern.compile("^\\s*(?:[a-z-]+ )*(?:class|record|interface|enum) ([A-Z]\\w*)");
  private static final Pattern VAGUE_CLASS =
      Pattern.compile(
          "Alone|Apart|Beside|Elsewhere|Held|Kept|Landmark|Nobody|Placed|Realm|Seen|Shelf|Shown\\w*"
              + "|Sides|Standing|Taken|Talk|Told|Touched|Written");

  private static final Pattern TEST = Pattern.compile("^\\s*(?:public )?void (\\w+_\\w+)\\(.*");
  private static final Pattern VAGUE_TEST =
      Pattern.compile("[Nn]obody|[Ss]omebody|[Ww]hoever|[Ee]verybody|GoesOn|IsTold|AreTold|HandsOn");

  private static final Pattern COMMENT = Pattern.compile("^\\s*(?:/\\*|\\*(?:[ /]|$)|//).*");
  private static final Pattern FRAGMENT =
      Pattern.compile("^\\s*(?:/\\*)?\\* ((?:What|How|Whether|Who) .*)");

  private PlainLanguage() {}

  /** Returns the findings of one Java source, in the order of its lines. */
  static List<Finding> inJava(List<String> lines) {
    var findings = new ArrayList<Finding>();
    String before = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int number = i + 1;
      addPhrases(line, number, findings);
      Matcher type = CLASS.matcher(line);
      if (type.find() && VAGUE_CLASS.matcher(type.group(1)).matches()) {
        findings.add(new Finding(number, type.group(1), "a noun of the field that says its job"));
      }
      Matcher test = TEST.matcher(line);
      if (test.matches() && VAGUE_TEST.matcher(test.group(1)).find()) {
        findings.add(new Finding(number, test.group(1), "method_condition_outcome in plain words"));
      }
      if (line.length() > MAX_COLUMNS && COMMENT.matcher(line).matches()) {
        findings.add(new Finding(number, line.strip(), "at most 100 columns"));
      }
      boolean opens = line.strip().startsWith("/**") || before.strip().equals("/**");
      Matcher fragment = FRAGMENT.matcher(line);
      if (opens && fragment.matches()) {
        String fix = "say what it is or does: 'Returns whether ...', 'A queue of ...'";
        findings.add(new Finding(number, fragment.group(1), fix));
      }
      before = line;
    }
    return findings;
  }

  /** Returns the phrases in a text that is not Java, such as a page or a document. */
  static List<Finding> inText(List<String> lines) {
    var findings = new ArrayList<Finding>();
    for (int i = 0; i < lines.size(); i++) {
      addPhrases(lines.get(i), i + 1, findings);
    }
    return findings;
  }

  private static void addPhrases(String line, int number, List<Finding> findings) {
    PHRASES.forEach(
        (phrase, suggestion) ->
            phrase
                .matcher(line)
                .results()
                .forEach(hit -> findings.add(new Finding(number, hit.group(), suggestion))));
  }

  private static Map.Entry<Pattern, String> phrase(String words, String suggestion) {
    return Map.entry(
        Pattern.compile("\\b(?:" + words + ")\\b", Pattern.CASE_INSENSITIVE), suggestion);
  }
}
