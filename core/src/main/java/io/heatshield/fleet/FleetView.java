package io.heatshield.fleet;

import io.heatshield.detect.StoredKey;
import io.heatshield.detect.Verdict;
import io.heatshield.key.KeyText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The merged counts of the whole fleet.
 *
 * @param merger the node that merged them
 * @param sequence the number of this view
 * @param members the nodes, by name
 * @param savings the effects of the actions of all nodes
 * @param scopes the counts by scope
 */
public record FleetView(
    String merger,
    long sequence,
    List<FleetMember> members,
    List<Saved> savings,
    List<FleetScope> scopes) {
  /** The maximum bytes of a stored view. */
  public static final int MAX_BYTES = 4 << 20;

  /** The maximum number of nodes. */
  public static final int MAX_NODES = 1024;

  private static final int RESERVE = 1 << 16;
  private static final Verdict.Kind[] KINDS = Verdict.Kind.values();
  private static final FleetMember.State[] STATES = FleetMember.State.values();

  /**
   * Returns whether Redis lost snapshots and some nodes have not published again yet, so that a key
   * that is cool here may be hot. Lasts for about one interval.
   */
  public boolean isRebuilding() {
    return members.stream().anyMatch(member -> member.state() == FleetMember.State.LOST);
  }

  /**
   * Returns the stored form.
   *
   * @param fingerprint the fingerprint of the hash that keys are counted by
   */
  public byte[] pack(long fingerprint) {
    var out = new FleetEncoder(FleetEncoder.VIEW, fingerprint);
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
    var places = new HashMap<String, Integer>();
    members.forEach(member -> places.put(member.node(), places.size()));
    scopes.forEach(scope -> put(out, scope, places));
    return out.sealed();
  }

  /**
   * Returns the view of a stored form.
   *
   * @param fingerprint the fingerprint of this process's hash
   * @throws InvalidFleetDataException if the form is rejected; the message is the reason
   */
  public static FleetView unpack(byte[] bytes, long fingerprint) {
    FleetDecoder in = FleetDecoder.open(bytes, FleetEncoder.VIEW, fingerprint, MAX_BYTES);
    String merger = displayText(in);
    long sequence = in.number(Long.MAX_VALUE);
    var members = new ArrayList<FleetMember>();
    for (int left = in.count(MAX_NODES); left > 0; left--) {
      members.add(
          new FleetMember(
              displayText(in),
              STATES[(int) in.number(STATES.length - 1)],
              in.number(Long.MAX_VALUE),
              displayText(in),
              in.number(Long.MAX_VALUE)));
    }
    List<String> names = members.stream().map(FleetMember::node).toList();
    var savings = new ArrayList<Saved>();
    for (int left = in.count(NodeSnapshot.MAX_ACTIONS); left > 0; left--) {
      savings.add(NodeSnapshot.readSaved(in));
    }
    var scopes = new ArrayList<FleetScope>();
    for (int left = in.count(NodeSnapshot.MAX_SCOPES); left > 0; left--) {
      scopes.add(readScope(in, names));
    }
    in.end();
    return new FleetView(merger, sequence, members, savings, scopes);
  }

  /** Reads an untrusted text for display. */
  private static String displayText(FleetDecoder in) {
    return KeyText.of(in.text(NodeSnapshot.MAX_TEXT));
  }

  private static void put(FleetEncoder out, FleetScope scope, Map<String, Integer> places) {
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

  private static FleetScope readScope(FleetDecoder in, List<String> names) {
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
        (int) in.number(ScopeMerge.MAX_CANDIDATES),
        (int) in.number(ScopeMerge.MAX_CANDIDATES),
        readKeys(in, names));
  }

  private static List<FleetKey> readKeys(FleetDecoder in, List<String> names) {
    var keys = new ArrayList<FleetKey>();
    while (in.number(1) == 1) {
      if (keys.size() == FleetScope.MAX_KEYS) {
        throw FleetDecoder.damaged("has more than " + FleetScope.MAX_KEYS + " keys of a scope");
      }
      StoredKey key = NodeSnapshot.readKey(in);
      keys.add(
          new FleetKey(
              key,
              KINDS[(int) in.number(KINDS.length - 1)],
              in.number(Long.MAX_VALUE),
              in.number(Long.MAX_VALUE),
              in.number(Long.MAX_VALUE),
              in.number(Long.MAX_VALUE),
              (int) in.number(MAX_NODES),
              readShares(in, names)));
    }
    return keys;
  }

  private static List<NodeShare> readShares(FleetDecoder in, List<String> names) {
    var shares = new ArrayList<NodeShare>();
    for (int left = in.count(FleetKey.MAX_SHARES); left > 0; left--) {
      int place = (int) in.number(names.size() - 1);
      shares.add(new NodeShare(names.get(place), in.number(Long.MAX_VALUE)));
    }
    return shares;
  }
}
