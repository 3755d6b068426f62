package io.heatshield.docs;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the signatures that code outside a package can use, one per line. */
final class Signatures {
  private static final Pattern LANG = Pattern.compile("\\bjava\\.lang\\.(?=[A-Z])");

  /** Orders members by name, then by signature, so that a changed type moves no line. */
  private static final Comparator<String> BY_NAME =
      Comparator.comparing(Signatures::member).thenComparing(Comparator.naturalOrder());

  private Signatures() {}

  /** Returns whether code in any package can name a type. */
  static boolean isAccessible(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    boolean isVisible = isVisible(type.getModifiers());
    return !type.isSynthetic()
        && !type.isAnonymousClass()
        && !type.isLocalClass()
        && isVisible
        && (outer == null || isAccessible(outer));
  }

  /** Returns a type and its members as lines; those of members are indented. */
  static List<String> of(Class<?> type) {
    var lines = new TreeSet<String>(BY_NAME);
    Class<?> parent = type.getSuperclass();
    if (parent != null && !isAccessible(parent)) {
      of(parent).stream().skip(1).map(String::strip).forEach(lines::add);
    }
    for (Field field : type.getDeclaredFields()) {
      if (isVisible(field.getModifiers()) && !field.isSynthetic()) {
        lines.add(modifiers(field) + type(field.getAnnotatedType()) + " " + field.getName());
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isCallable(constructor, type)) {
        lines.add(modifiers(constructor) + "new" + parameters(constructor));
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (isCallable(method, type) && !isImplied(method, type)) {
        lines.add(
            modifiers(method)
                + variables(method.getTypeParameters())
                + type(method.getAnnotatedReturnType())
                + " "
                + method.getName()
                + parameters(method));
      }
    }
    var all = new ArrayList<String>();
    all.add(header(type));
    lines.forEach(line -> all.add("  " + line));
    return all;
  }

  private static String member(String line) {
    int parameters = line.indexOf('(');
    String before = parameters < 0 ? line : line.substring(0, parameters);
    return before.substring(before.lastIndexOf(' ') + 1);
  }

  private static String header(Class<?> type) {
    String kind =
        type.isAnnotation()
            ? "@interface "
            : type.isInterface()
                ? "interface "
                : type.isEnum() ? "enum " : type.isRecord() ? "record " : "class ";
    int kept = type.getModifiers() & (Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL);
    if (type.isEnum() || type.isRecord() || type.isInterface()) {
      kept &= Modifier.PROTECTED;
    }
    boolean isAbstract = Modifier.isAbstract(type.getModifiers()) && !type.isInterface();
    var line = new StringBuilder(type.isSealed() ? "sealed " : "");
    line.append(isAbstract ? "abstract " : "");
    line.append(kept == 0 ? "" : Modifier.toString(kept) + " ");
    line.append(kind).append(type.getName()).append(variables(type.getTypeParameters()).strip());
    Class<?> parent = type.getSuperclass();
    if (parent != null
        && isAccessible(parent)
        && !type.isEnum()
        && !type.isRecord()
        && parent != Object.class) {
      line.append(" extends ").append(name(type.getGenericSuperclass()));
    }
    if (type.getGenericInterfaces().length > 0) {
      line.append(" implements ").append(typeNames(type.getGenericInterfaces()));
    }
    return line.toString();
  }

  private static String parameters(Executable executable) {
    String thrown = typeNames(executable.getGenericExceptionTypes());
    return Arrays.stream(executable.getAnnotatedParameterTypes())
            .map(Signatures::type)
            .collect(Collectors.joining(", ", "(", ")"))
        + (thrown.isEmpty() ? "" : " throws " + thrown);
  }

  private static String modifiers(Member member) {
    int hidden = Modifier.PUBLIC | Modifier.SYNCHRONIZED | Modifier.NATIVE | Modifier.STRICT;
    int kept = member.getModifiers() & ~hidden;
    if (member instanceof Executable) {
      kept &= ~(Modifier.TRANSIENT | Modifier.VOLATILE);
    }
    if (Modifier.isFinal(member.getDeclaringClass().getModifiers())) {
      kept &= member instanceof Method ? ~Modifier.FINAL : ~0;
    }
    boolean isDefault = member instanceof Method method && method.isDefault();
    boolean isDeprecated =
        member instanceof java.lang.reflect.AnnotatedElement element
            && element.isAnnotationPresent(Deprecated.class);
    return (isDeprecated ? "@Deprecated " : "")
        + (isDefault ? "default " : "")
        + (kept == 0 ? "" : Modifier.toString(kept) + " ");
  }

  private static String type(AnnotatedType type) {
    String nullable = type.isAnnotationPresent(Nullable.class) ? "@Nullable " : "";
    if (type instanceof AnnotatedArrayType array) {
      String component = type(array.getAnnotatedGenericComponentType());
      return component + (nullable.isEmpty() ? "" : " @Nullable ") + "[]";
    }
    if (type instanceof AnnotatedParameterizedType generic) {
      return nullable
          + name(((ParameterizedType) generic.getType()).getRawType())
          + Arrays.stream(generic.getAnnotatedActualTypeArguments())
              .map(Signatures::type)
              .collect(Collectors.joining(", ", "<", ">"));
    }
    return nullable + name(type.getType());
  }

  /** Returns the name of a type, without the package if that is java.lang. */
  private static String name(Type type) {
    return LANG.matcher(type.getTypeName()).replaceAll("");
  }

  private static String variables(TypeVariable<?>[] variables) {
    if (variables.length == 0) {
      return "";
    }
    return Arrays.stream(variables)
        .map(
            variable -> {
              String bounds = typeNames(variable.getBounds());
              return bounds.equals("Object")
                  ? variable.getName()
                  : variable.getName() + " extends " + bounds;
            })
        .collect(Collectors.joining(", ", "<", "> "));
  }

  private static String typeNames(Type[] types) {
    return Stream.of(types).map(Signatures::name).collect(Collectors.joining(", "));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static boolean isCallable(Executable executable, Class<?> type) {
    boolean isForSubclasses =
        Modifier.isProtected(executable.getModifiers()) && Modifier.isFinal(type.getModifiers());
    return isVisible(executable.getModifiers()) && !executable.isSynthetic() && !isForSubclasses;
  }

  /** Methods that every enum has, and those of each record that only compare or print. */
  private static boolean isImplied(Method method, Class<?> type) {
    Collection<String> implied =
        type.isEnum()
            ? List.of("values", "valueOf")
            : type.isRecord() ? List.of("equals", "hashCode", "toString") : List.of();
    return implied.contains(method.getName());
  }
}
