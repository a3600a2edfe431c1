#include "common/link/member_file.hpp"

#include "common/base/document.hpp"
#include "common/base/reader.hpp"

namespace stratum::link {
namespace {

constexpr std::int64_t kMemberFileVersion = 1;
constexpr std::size_t kMostBytes = 1u << 20;

std::string path_in(const std::string& state_folder) {
    return state_folder + "/" + std::string(kMemberFileName);
}

MemberFile read_body(ObjectReader& reader) {
    reader.required_int("version", kMemberFileVersion, kMemberFileVersion);
    MemberFile member{reader.required_string("nodeId"),
                      reader.required_string("name"),
                      {},
                      Fingerprint(Sha256{})};
    for (const std::string& text :
         reader.optional_strings("founders").value_or(std::vector<std::string>{})) {
        const auto founder = HostPort::parse(text);
        if (founder) member.founders.push_back(*founder);
        if (!founder) reader.add("founders", founder.error().message);
    }
    if (member.founders.empty()) reader.add("founders", "needs at least one HOST:PORT");
    if (!reader.has("founderKey")) reader.add("founderKey", "missing");
    if (const auto key = reader.optional_parsed("founderKey", Fingerprint::parse)) {
        member.founder_key = *key;
    }
    reader.finish();
    return member;
}

} // namespace

Status write_member_file(Files& files, const std::string& state_folder, const MemberFile& member) {
    Node founders = Node::array();
    for (const HostPort& founder : member.founders) founders.push(Node::string(founder.str()));
    Node node = Node::object();
    node.set("version", Node::integer(kMemberFileVersion)).set("nodeId", member.node_id);
    node.set("name", member.name).set("founders", std::move(founders));
    node.set("founderKey", member.founder_key.str());
    return files.write(path_in(state_folder), write_json(node, 2) + "\n", 0644);
}

Result<MemberFile> read_member_file(const Files& files, const std::string& state_folder) {
    const std::string path = path_in(state_folder);
    const auto text = files.read(path, kMostBytes);
    if (!text) return fail_in("reading " + path, text.error());
    const Parsed parsed = parse_json(*text);
    Findings findings = parsed.findings;
    if (parsed.root && findings.empty()) {
        ObjectReader reader(*parsed.root, {}, findings);
        MemberFile member = read_body(reader);
        if (findings.empty()) return member;
    }
    return fail(ErrorCode::kInvalid, path + " is not what it should be: " +
                                         (findings.empty() ? std::string("no whole JSON document")
                                                           : findings.lines().front()));
}

} // namespace stratum::link
