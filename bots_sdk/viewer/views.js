// The views of a record. Step 0 carries the whole view, every other step what changed. Views share
// what stayed the same, so a jump to any step costs nothing.
export function expand(steps) {
  const views = [steps[0].view];
  for (const step of steps.slice(1)) {
    let view = views.at(-1);
    for (const pointer in step.set) view = replace(view, pointer.split("/"), 1, step.set[pointer]);
    views.push(view);
  }
  return views;
}

function replace(node, path, at, value) {
  if (at === path.length) return value;
  const copy = Array.isArray(node) ? node.slice() : { ...node };
  copy[path[at]] = replace(node[path[at]], path, at + 1, value);
  return copy;
}
