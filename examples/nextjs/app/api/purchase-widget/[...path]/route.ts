import { companion } from '../../../companion.ts'

const handle = (request: Request): Promise<Response> => companion.fetch(request)

export { handle as GET, handle as POST }
