import picomatch from 'picomatch';

/**
 * Whether a .dockerignore leaves a path out (https://docs.docker.com/build/concepts/context/#dockerignore-files): the
 * last pattern that fits decides, a pattern fits what lies below it too, `!` takes back in.
 */
export const leavesOut = (ignore: string): ((path: string) => boolean) => {
  const patterns = ignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const pattern = line.replace(/^!/, '').replace(/^\/|\/$/g, '');
      return {
        out: !line.startsWith('!'),
        fits: picomatch([pattern, `${pattern}/**`], { dot: true, nonegate: true }),
      };
    });
  return (path) => patterns.findLast(({ fits }) => fits(path))?.out ?? false;
};
