import { companion } from '../companion.server'

const handle = ({ request }: { request: Request }): Promise<Response> => companion.fetch(request)

export { handle as action, handle as loader }
