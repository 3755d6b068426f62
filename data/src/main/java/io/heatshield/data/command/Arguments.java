package io.heatshield.data.command;

import io.heatshield.key.KeyText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** A command with its arguments; the name of the command is the first of them. */
public abstract sealed class Arguments permits Call, KeyCall {
  private final Command command;
  private final byte[][] args;

  Arguments(Command command, byte[][] args) {
    this.command = command;
    this.args = args;
  }

  public Command command() {
    return command;
  }

  /** Returns all arguments, including the name. */
  public byte[][] args() {
    return args;
  }

  /** Returns the number of arguments, including the name. */
  public int count() {
    return args.length;
  }

  public byte[] arg(int index) {
    return args[index];
  }

  /** Returns an argument as text. */
  public String text(int index) {
    return new String(args[index], StandardCharsets.UTF_8);
  }

  /** Returns an argument as text in lower case. */
  public String lower(int index) {
    return text(index).toLowerCase(Locale.ROOT);
  }

  /** Returns the beginning of an argument, escaped so that it may be part of an error. */
  public String escaped(int index, int maxBytes) {
    byte[] arg = args[index];
    return KeyText.of(arg.length <= maxBytes ? arg : Arrays.copyOf(arg, maxBytes));
  }

  /** Returns whether an argument is an option, which is given in lower case, in any case. */
  public boolean is(int index, String option) {
    return ArgumentParser.is(args[index], option);
  }

  public boolean isInteger(int index) {
    return ArgumentParser.isInteger(args[index]);
  }

  /** Parses a 64-bit integer. */
  public long integer(int index) {
    return ArgumentParser.integer(args[index]);
  }

  /** Parses a 64-bit integer, or fails with an error. */
  public long integer(int index, String error) {
    return ArgumentParser.integer(args[index], error);
  }

  /** Parses an integer within bounds, which are inclusive, or fails with an error. */
  public long integer(int index, long min, long max, String error) {
    long value = integer(index, error);
    if (value < min || value > max) {
      throw new CommandException(error);
    }
    return value;
  }

  /** Parses a decimal number, or fails with an error. */
  public double real(int index, String error) {
    return ArgumentParser.real(args[index], error);
  }

  /** Returns the error of a call with the wrong number of arguments. */
  public CommandException wrongCount() {
    return new CommandException(command.wrongCount());
  }

  /** Fails if there are more arguments, including the name. */
  public void checkMaxCount(int max) {
    if (args.length > max) {
      throw wrongCount();
    }
  }
}
