import { connect, type Socket } from 'node:net';

/** One keep-alive connection with at most one request under way. */
export interface Line {
  send(request: string): void;
  close(): void;
}

interface LineEvents {
  answered(line: Line, status: number, text: () => string): void;
  failed(error: Error): void;
}

const HEAD_END = '\r\n\r\n';

/** A minimal HTTP client: the machine's cores belong to the service. Responses must have a Content-Length. */
export async function openLine(port: number, events: LineEvents): Promise<Line> {
  const socket = await connected(port);
  let held: Buffer | undefined;
  let isClosed = false;
  const line: Line = {
    send: (request) => void socket.write(request, 'latin1'),
    close() {
      isClosed = true;
      socket.destroy();
    },
  };
  socket.on('data', (chunk) => {
    const bytes = held ? Buffer.concat([held, chunk]) : chunk;
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd !== -1) {
      const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1];
      if (length === undefined) return events.failed(new Error('a response without Content-Length'));
      if (bytes.length >= headEnd + HEAD_END.length + Number(length)) {
        held = undefined;
        events.answered(line, Number(bytes.toString('latin1', 9, 12)), () => bytes.toString('utf8'));
        return;
      }
    }
    held = bytes;
  });
  const lost = (error?: Error) => {
    if (!isClosed) events.failed(error ?? new Error('the service closed a connection'));
  };
  socket.on('error', lost).on('close', () => lost());
  return line;
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true }, () => {
      socket.removeListener('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
