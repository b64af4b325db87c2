import typescript from 'typescript';

/**
 * Hosts for compilations of the same packages: each file is read once for all of them, because most of a compilation's
 * time goes there. Files whose path begins with `changing` are read each time.
 */
export function hostsThatReadOnce(
  changing?: string,
  ts = typescript,
): (options: typescript.CompilerOptions) => typescript.CompilerHost {
  const read = new Map<string, typescript.SourceFile | undefined>();
  return (options) => {
    const host = ts.createCompilerHost(options);
    const getSourceFile = host.getSourceFile.bind(host);
    host.getSourceFile = (file, settings, ...rest) => {
      if (changing !== undefined && file.startsWith(changing)) return getSourceFile(file, settings, ...rest);
      const { impliedNodeFormat } = typeof settings === 'object' ? settings : {};
      const key = `${file} ${String(impliedNodeFormat)}`;
      if (!read.has(key)) read.set(key, getSourceFile(file, settings, ...rest));
      return read.get(key);
    };
    return host;
  };
}
