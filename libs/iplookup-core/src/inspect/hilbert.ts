/**
 * Where a step along the Hilbert curve lies in its square. Numbers that share their leading bits lie in one square, so
 * networks become squares, or halves of them.
 *
 * @param index step from 0 to `side²` − 1
 * @param side of the square, a power of two
 * @see https://en.wikipedia.org/wiki/Hilbert_curve
 */
export function hilbertPoint(index: number, side: number): readonly [x: number, y: number] {
  let x = 0;
  let y = 0;
  let rest = index;
  for (let size = 1; size < side; size *= 2, rest = Math.floor(rest / 4)) {
    const right = Math.floor(rest / 2) & 1;
    const down = (rest ^ right) & 1;
    if (down === 0) {
      if (right === 1) [x, y] = [size - 1 - x, size - 1 - y];
      [x, y] = [y, x];
    }
    x += size * right;
    y += size * down;
  }
  return [x, y];
}
