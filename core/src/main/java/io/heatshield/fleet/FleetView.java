package io.heatshield.fleet;

import io.heatshield.detect.StoredKey;
import io.heatshield.detect.Verdict;
import io.heatshield.key.KeyText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the whole fleet has counted, as the node that merged it found.
 *
 * @param merger the node that merged
 * @param sequence how many views it has made
 * @param members the nodes, by name
 * @param savings what the actions of all nodes did
 * @param scopes what they have counted, by name
 */
public record FleetView(
    String merger,
    long sequence,
    List<FleetMember> members,
    List<Saved> savings,
    List<FleetScope> scopes) {
  /** The most bytes of a stored view. */
  public static final int MAX_BYTES = 4 << 20;

  /** The most nodes of a fleet. */
  public static final int MAX_NODES = 1024;

  private static final int RESERVE = 1 << 16;
  private static final Verdict.Kind[] KINDS = Verdict.Kind.values();
  private static final FleetMember.State[] STATES = FleetMember.State.values();

  /**
   * Returns whether Redis lost what nodes had published, and some have not published again yet: a
   * key that is cool here may be hot. Lasts for about one interval.
   */
  public boolean isRebuilding() {
    return members.stream().anyMatch(member -> member.state() == FleetMember.State.LOST);
  }

  /**
   * Returns the stored form.
   *
   * @param fingerprint that of the hash which the keys are counted by
   */
  public byte[] pack(long fingerprint) {
    var out = new Packing(Packing.VIEW, fingerprint);
    out.text(merger);
    out.number(sequence);
    out.number(members.size());
    for (FleetMember member : members) {
      out.text(member.node());
      out.number(List.of(STATES).indexOf(member.state()));
      out.number(member.ageMillis());
      out.text(NodeSnapshot.cut(member.why()));
      out.number(member.sequence());
    }
    out.number(savings.size());
    savings.forEach(saved -> NodeSnapshot.put(out, saved));
    out.number(scopes.size());
    List<String> names = members.stream().map(FleetMember::node).toList();
    var places = new HashMap<String, Integer>();
    names.forEach(name -> places.put(name, places.size()));
    scopes.forEach(scope -> put(out, scope, places));
    return out.sealed();
  }

  /**
   * Returns the view that was stored.
   *
   * @param fingerprint that of this process's hash
   * @throws RefusedException if it cannot be taken, with the reason
   */
  public static FleetView unpack(byte[] bytes, long fingerprint) {
    Unpacking in = Unpacking.open(bytes, Packing.VIEW, fingerprint, MAX_BYTES);
    String merger = shown(in);
    long sequence = in.number(Long.MAX_VALUE);
    var members = new ArrayList<FleetMember>();
    for (int left = in.count(MAX_NODES); left > 0; left--) {
      members.add(
          new FleetMember(
              shown(in),
              STATES[(int) in.number(STATES.length - 1)],
              in.number(Long.MAX_VALUE),
              shown(in),
              in.number(Long.MAX_VALUE)));
    }
    List<String> names = members.stream().map(FleetMember::node).toList();
    var savings = new ArrayList<Saved>();
    for (int left = in.count(NodeSnapshot.MAX_ACTIONS); left > 0; left--) {
      savings.add(NodeSnapshot.takeSaved(in));
    }
    var scopes = new ArrayList<FleetScope>();
    for (int left = in.count(NodeSnapshot.MAX_SCOPES); left > 0; left--) {
      scopes.add(takeScope(in, names));
    }
    in.end();
    return new FleetView(merger, sequence, members, savings, scopes);
  }

  /** Takes a text that people will read; it may not be what a node of ours wrote. */
  private static String shown(Unpacking in) {
    return KeyText.of(in.text(NodeSnapshot.MAX_TEXT));
  }

  private static void put(Packing out, FleetScope scope, Map<String, Integer> places) {
    out.text(scope.scope());
    out.number(scope.windowMillis());
    out.number(scope.hotAt());
    out.number(scope.nodes());
    out.number(scope.touches());
    out.number(scope.errorBound());
    out.number(scope.distinct());
    out.number(scope.atLeast() ? 1 : 0);
    out.number(scope.unlistedBelow());
    out.number(scope.hot());
    out.number(scope.uncertain());
    for (FleetKey key : scope.keys()) {
      if (out.size() > MAX_BYTES - RESERVE) {
        break;
      }
      out.number(1);
      NodeSnapshot.put(out, key.key());
      out.number(List.of(KINDS).indexOf(key.kind()));
      out.number(key.estimate());
      out.number(key.error());
      out.number(key.guaranteed());
      out.number(key.hotMillis());
      out.number(key.nodes());
      out.number(key.shares().size());
      for (NodeShare share : key.shares()) {
        out.number(places.getOrDefault(share.node(), 0));
        out.number(share.estimate());
      }
    }
    out.number(0);
  }

  private static FleetScope takeScope(Unpacking in, List<String> names) {
    return new FleetScope(
        in.text(NodeSnapshot.MAX_TEXT),
        in.number(Long.MAX_VALUE),
        in.number(Long.MAX_VALUE),
        (int) in.number(MAX_NODES),
        in.number(Long.MAX_VALUE),
        in.number(Long.MAX_VALUE),
        in.number(Long.MAX_VALUE),
        in.number(1) == 1,
        in.number(Long.MAX_VALUE),
        (int) in.number(ScopeMerge.MAX_ASKED),
        (int) in.number(ScopeMerge.MAX_ASKED),
        takeKeys(in, names));
  }

  private static List<FleetKey> takeKeys(Unpacking in, List<String> names) {
    var keys = new ArrayList<FleetKey>();
    while (in.number(1) == 1) {
      if (keys.size() == FleetScope.MAX_KEYS) {
        throw Unpacking.damaged("has more than " + FleetScope.MAX_KEYS + " keys of a scope");
      }
      StoredKey key = NodeSnapshot.takeKey(in);
      keys.add(
          new FleetKey(
              key,
              KINDS[(int) in.number(KINDS.length - 1)],
              in.number(Long.MAX_VALUE),
              in.number(Long.MAX_VALUE),
              in.number(Long.MAX_VALUE),
              in.number(Long.MAX_VALUE),
              (int) in.number(MAX_NODES),
              takeShares(in, names)));
    }
    return keys;
  }

  private static List<NodeShare> takeShares(Unpacking in, List<String> names) {
    var shares = new ArrayList<NodeShare>();
    for (int left = in.count(FleetKey.MAX_SHARES); left > 0; left--) {
      int place = (int) in.number(names.size() - 1);
      shares.add(new NodeShare(names.get(place), in.number(Long.MAX_VALUE)));
    }
    return shares;
  }
}
