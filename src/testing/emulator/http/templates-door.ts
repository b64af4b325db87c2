/** The door to the page of templates. The command opens it; the built command is another bundle than the emulator. */
import type { TemplateFolder } from '../../../entries/templates/types.ts';
import type { TemplateConflict, TemplateFault } from '../../report/data/template-data.ts';

/** A registered symbol, because the command is a separate bundle. */
export const TEMPLATES_PAGE = Symbol.for('email-platform.templates-page');

/** The templates of a folder, and what may be written there. */
export interface TemplateSource {
  readonly port: number;
  readonly folder: string;
  readonly read: () => {
    readonly templates: readonly TemplateFolder[];
    readonly problems: readonly TemplateFault[];
  };
  /** Writes an example, and leaves the rest of its file as it is; a file without the values `before` is returned. */
  readonly save: (
    template: TemplateFolder,
    before: unknown,
    example: Readonly<Record<string, unknown>>,
  ) => Promise<TemplateConflict | undefined>;
}

/** A running server of the page. */
export interface TemplatesServer {
  /** The address that lets a browser in. */
  readonly browserUrl: string;
  /** Tells the pages that templates changed. */
  readonly changed: () => void;
  readonly close: () => Promise<void>;
}

/** Starts the server with an emulator's code. */
export const serveTemplatesOf = (emulator: object, source: TemplateSource): Promise<TemplatesServer> =>
  (emulator as { [TEMPLATES_PAGE]: (source: TemplateSource) => Promise<TemplatesServer> })[TEMPLATES_PAGE](
    source,
  );
