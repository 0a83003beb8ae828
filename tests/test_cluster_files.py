"""The deployment files of a cluster agree with each other, with the CLI and with Ray."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from charlotte.cli.parser import parse
from charlotte.config.config import Config, fields
from charlotte.config.sources import load

yaml: Any = pytest.importorskip("yaml", reason="the files are YAML")

ROOT = Path(__file__).parent.parent
CLUSTER = ROOT / "examples" / "cluster"
IMAGE = "charlotte-cluster"
RAY_PORT = 6379


def read(name: str) -> list[Any]:
    return list(yaml.safe_load_all((CLUSTER / name).read_text(encoding="utf-8")))


def find(kind: str, name: str = "") -> Any:
    [found] = [
        each
        for each in read("kuberay.yaml")
        if each["kind"] == kind and each["metadata"]["name"].endswith(name)
    ]
    return found


def pods() -> dict[str, Any]:
    ray = find("RayCluster")["spec"]
    groups = {each["groupName"]: each["template"]["spec"] for each in ray["workerGroupSpecs"]}
    gateway = find("Deployment")["spec"]["template"]["spec"]
    return {"head": ray["headGroupSpec"]["template"]["spec"], "gateway": gateway, **groups}


def containers() -> list[Any]:
    return [each for pod in pods().values() for each in pod["containers"]]


def commands_of_gateways() -> Iterator[list[str]]:
    script = (CLUSTER / "gateway.sh").read_text(encoding="utf-8")
    [line] = re.findall(r"^exec charlotte (.*)$", script, re.MULTILINE)
    composed = read("gateway.yaml")[0]["services"]["gateway"]
    [container] = pods()["gateway"]["containers"]
    assert composed["command"][0] == container["command"][0] == "charlotte-gateway"
    for given in (composed["command"][1:], container["args"]):
        words = line.replace("$RAY_ADDRESS", f"192.0.2.10:{RAY_PORT}").replace('"$@"', "")
        yield [*shlex.split(words), *given]


def ray_starts() -> Iterator[list[str]]:
    cluster = read("cluster.yaml")[0]
    lines = cluster["head_start_ray_commands"] + cluster["worker_start_ray_commands"]
    lines += (CLUSTER / "gateway.sh").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if not line.startswith("#") and "ray start" in line:
            yield shlex.split(line.partition("ray start")[2])


def flags_of(words: list[str]) -> dict[str, str]:
    pairs = [word.removeprefix("--").partition("=") for word in words]
    return {name: value for name, _, value in pairs}


def test_the_flags_of_the_gateways_are_accepted() -> None:
    for command in commands_of_gateways():
        arguments = vars(parse(command))
        settings = {name: arguments.get(name) for name in fields()}
        environment = {"CHARLOTTE_AUTH_TOKEN": "secret"}
        config = load(settings, environment).config
        assert config.http
        assert config.serves_other_machines
        assert config.subject_tabs > 0


def test_every_container_runs_the_image_that_the_dockerfile_builds() -> None:
    text = (CLUSTER / "Dockerfile").read_text(encoding="utf-8")
    assert f"docker build -t {IMAGE} examples/cluster" in text
    images = {
        read("cluster.yaml")[0]["docker"]["image"],
        read("gateway.yaml")[0]["services"]["gateway"]["image"],
        *(container["image"] for container in containers()),
    }
    assert images == {IMAGE}


def test_the_version_of_ray_is_the_tested_one_everywhere() -> None:
    text = (CLUSTER / "Dockerfile").read_text(encoding="utf-8")
    [built] = re.findall(r"^ARG RAY_VERSION=(.*)$", text, re.MULTILINE)
    pinned = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    assert f"\nray=={built}\n" in pinned
    assert find("RayCluster")["spec"]["rayVersion"] == built


def test_only_workers_have_the_resource_browser() -> None:
    head, worker, gateway = map(flags_of, ray_starts())
    assert yaml.safe_load(worker["resources"]) == {"browser": 2}
    assert "resources" not in head | gateway
    assert head["num-cpus"] == gateway["num-cpus"] == "0"
    ray = find("RayCluster")["spec"]
    [group] = ray["workerGroupSpecs"]
    [resources] = shlex.split(group["rayStartParams"]["resources"])  # for a shell
    assert yaml.safe_load(resources) == {"browser": 2}
    assert ray["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"


def test_the_ports_agree() -> None:
    head, worker, _ = map(flags_of, ray_starts())
    assert head["port"] == str(RAY_PORT)
    assert worker["address"] == f"$RAY_HEAD_IP:{RAY_PORT}"
    cluster, gateway = read("cluster.yaml")[0], read("gateway.yaml")[0]["services"]["gateway"]
    head_ip = cluster["provider"]["head_ip"]
    assert gateway["environment"]["RAY_ADDRESS"] == f"{head_ip}:{RAY_PORT}"
    [container] = pods()["gateway"]["containers"]
    name = find("RayCluster")["metadata"]["name"]
    assert {"name": "RAY_ADDRESS", "value": f"{name}-head-svc:{RAY_PORT}"} in container["env"]
    assert container["ports"] == [{"name": "mcp", "containerPort": Config().port}]
    assert find("Service")["spec"]["ports"][0]["port"] == Config().port
    [_, open_port] = find("NetworkPolicy", "gateway")["spec"]["ingress"]
    assert open_port == {"ports": [{"port": Config().port}]}


def test_pods_have_no_privileges_and_state_their_needs() -> None:
    for pod in pods().values():
        assert pod["securityContext"]["runAsNonRoot"]
        assert not pod["automountServiceAccountToken"]
        mounts = {each["name"]: each["mountPath"] for each in pod["containers"][0]["volumeMounts"]}
        assert mounts["shm"] == "/dev/shm"  # noqa: S108 - where Ray and Chromium share memory
        [shm] = [volume for volume in pod["volumes"] if volume["name"] == "shm"]
        assert shm["emptyDir"]["medium"] == "Memory"
    for container in containers():
        assert not container["securityContext"]["allowPrivilegeEscalation"]
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["requests"].keys() == {"cpu", "memory"}
        assert "httpGet" in container["readinessProbe"]


def test_policies_and_services_select_the_pods_of_the_manifest() -> None:
    labels = find("Deployment")["spec"]["template"]["metadata"]["labels"]
    assert find("Service")["spec"]["selector"] == labels
    assert find("NetworkPolicy", "gateway")["spec"]["podSelector"]["matchLabels"] == labels
    ray = {"ray.io/cluster": find("RayCluster")["metadata"]["name"]}
    policy = find("NetworkPolicy", "ray")["spec"]
    assert policy["podSelector"]["matchLabels"] == ray
    [rule] = policy["ingress"]
    assert [each["podSelector"]["matchLabels"] for each in rule["from"]] == [ray, labels]


def test_ray_accepts_the_cluster_file_and_all_of_its_flags() -> None:
    pytest.importorskip("ray", reason="Ray is an extra, charlotte-mcp[ray]")
    from ray.autoscaler._private import util  # noqa: PLC0415
    from ray.scripts import scripts  # noqa: PLC0415

    util.validate_config(util.prepare_config(read("cluster.yaml")[0]))
    known = {name for option in scripts.start.params for name in option.opts}
    spec = find("RayCluster")["spec"]
    groups = [spec["headGroupSpec"], *spec["workerGroupSpecs"]]
    used = {name for group in groups for name in group["rayStartParams"]}
    used |= {name for words in ray_starts() for name in flags_of(words)}
    assert {f"--{name}" for name in used} <= known


def test_the_script_of_a_gateway_has_no_syntax_error() -> None:
    subprocess.run(["sh", "-n", CLUSTER / "gateway.sh"], check=True, timeout=100)  # noqa: S603, S607
