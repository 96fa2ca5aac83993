import { fileURLToPath } from 'node:url';
import { type Node, type SourceFile, type Statement, SyntaxKind } from 'typescript/unstable/ast';
import {
  isClassDeclaration,
  isExportDeclaration,
  isFunctionDeclaration,
  isInterfaceDeclaration,
  isNamedExports,
  isPrivateIdentifier,
  isStringLiteral,
  isTypeAliasDeclaration,
  isVariableStatement,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

/** One exported declaration, or one public member of it, with its documentation comment. */
export interface Documented {
  name: string;
  kind: 'class' | 'interface' | 'type' | 'function' | 'const' | 'member';
  signature: string;
  doc: string;
  /** Whether the comment shows how it is used. */
  hasExample: boolean;
  members: Documented[];
}

/** The exports of a module: its declarations, and other modules, whole or by name. */
export interface Module {
  declarations: Map<string, Documented>;
  exports: { from: string; names: string[] | undefined }[];
}

const SDK = fileURLToPath(new URL('../../', import.meta.url));

/** Every module of the SDK as the compiler reads it, by its path below `src`. */
export function readModules(): Map<string, Module> {
  const api = new API({ cwd: SDK });
  try {
    const [project] = api.updateSnapshot({ openProject: `${SDK}tsconfig.json` }).getProjects();
    const paths = (project?.program.getSourceFileNames() ?? []).filter((path) =>
      path.startsWith(`${SDK}src/`),
    );
    return new Map(
      paths.flatMap((path) => {
        const file = project?.program.getSourceFile(path);
        return file ? [[path.slice(`${SDK}src/`.length), readModule(file)] as const] : [];
      }),
    );
  } finally {
    api.close();
  }
}

function readModule(file: SourceFile): Module {
  const declarations = new Map<string, Documented>();
  const exports: Module['exports'] = [];
  for (const statement of file.statements) {
    if (
      isExportDeclaration(statement) &&
      statement.moduleSpecifier &&
      isStringLiteral(statement.moduleSpecifier)
    ) {
      const { exportClause, moduleSpecifier } = statement;
      const names = exportClause && isNamedExports(exportClause) ? exportClause.elements : undefined;
      exports.push({ from: moduleSpecifier.text, names: names?.map(({ name }) => name.text) });
    }
    const entry = textOf(statement, file).startsWith('export ') ? declarationOf(statement, file) : undefined;
    if (!entry) continue;
    const earlier = declarations.get(entry.name);
    // Of an overloaded function the implementation is no one's business.
    if (!earlier) declarations.set(entry.name, entry);
    else if (isFunctionDeclaration(statement) && !statement.body) earlier.signature += `\n${entry.signature}`;
  }
  return { declarations, exports };
}

function declarationOf(statement: Statement, file: SourceFile): Documented | undefined {
  const doc = docOf(statement, file);
  const made = (kind: Documented['kind'], name: string, text: string, members: Documented[] = []) => ({
    name,
    kind,
    signature: clean(text),
    ...doc,
    members,
  });
  if (isClassDeclaration(statement) || isInterfaceDeclaration(statement)) {
    const kind = isClassDeclaration(statement) ? 'class' : 'interface';
    const members = [...statement.members].flatMap((member) => memberOf(member, file));
    return made(kind, statement.name?.text ?? '', textOf(statement, file, statement.members.pos), members);
  }
  if (isTypeAliasDeclaration(statement)) return made('type', statement.name.text, textOf(statement, file));
  if (isFunctionDeclaration(statement))
    return made('function', statement.name?.text ?? '', textOf(statement, file, statement.body?.pos));
  if (!isVariableStatement(statement)) return undefined;
  const [declared] = statement.declarationList.declarations;
  const end = declared?.initializer?.pos ?? statement.end;
  const name = declared ? textOf(declared.name, file) : '';
  return made('const', name, textOf(statement, file, end).replace(/\s*=$/, ''));
}

/** Private ones, the inherited `name` of errors, and constructors that only the SDK calls are left out. */
function memberOf(node: Node, file: SourceFile): Documented[] {
  const { name, body } = node as Node & { name?: Node; body?: Node };
  const text = textOf(node, file, body?.pos);
  const { doc, hasExample } = docOf(node, file);
  const isHidden = name !== undefined && isPrivateIdentifier(name);
  if (isHidden || doc.startsWith('Made by') || text.startsWith('override readonly name')) return [];
  const own = name ? textOf(name, file) : node.kind === SyntaxKind.Constructor ? 'constructor' : '';
  return [{ name: own, kind: 'member', signature: clean(text), doc, hasExample, members: [] }];
}

function textOf(node: Node, file: SourceFile, end: number = node.end): string {
  return file.text.slice(node.getStart(file), end);
}

function docOf(node: Node, file: SourceFile): Pick<Documented, 'doc' | 'hasExample'> {
  const comment = (node as Node & { jsDoc?: readonly Node[] }).jsDoc?.at(-1);
  const text = comment ? file.text.slice(comment.pos, comment.end) : '';
  const [words = '', ...examples] = text.replace(/^[\s\S]*?\/\*\*|\*\/\s*$/g, '').split('@example');
  const lines = words.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  return {
    doc: lines
      .filter((line) => line !== '')
      .join(' ')
      .trim(),
    hasExample: examples.length > 0,
  };
}

/** One line, without what only the compiler needs. */
function clean(text: string): string {
  return text
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?\{ ?$|;$/, '')
    .replace(/^export (?:async )?/, '')
    .replace(/^ ?(static )?(?:override )?(?:async )?/, '$1')
    .replace(/(\w+): ([\w<>.]+) = \{\}/g, '$1?: $2')
    .replace(/(\w+): (\{[^}]*\}|[^,()]+?) = \{\}/g, '$1?: $2')
    .replace(/\( /g, '(')
    .replace(/,? \)/g, ')')
    .trim();
}
