package io.heatshield.cli.demo;

/**
 * The effect of a protection in one scene.
 *
 * @param scene the scene
 * @param calm the interval before the attack
 * @param before the attack without protection
 * @param after the attack with protection
 * @param callsSaved the calls to the store that Heatshield saved, by its own count
 */
record SceneResult(Scene scene, Measure calm, Measure before, Measure after, long callsSaved) {}
